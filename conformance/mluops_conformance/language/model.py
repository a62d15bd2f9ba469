"""A case, fully expanded: what a case file means, without its YAML."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Mapping, Union

from mluops_conformance.language.expressions import Expression

Scalar = Union[int, float]


@dataclass(frozen=True)
class Origin:
    """A place in a case file; `str()` gives "file:line:column", the file as seen from the current folder."""

    file: str
    line: int
    column: int = 1

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True)
class FillSpec:
    """How an input is made: the fill's name and its options, as written (`uniform`, `{"range": (0, 1)}`)."""

    name: str
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class DescriptorOverride:
    """What a case changes in one tensor's descriptor; `null` passes NULL for the descriptor."""

    dtype: str | None = None  # a mluOpDataType_t name without its prefix ("HALF") or a NumPy name
    layout: str | None = None
    shape: tuple[int, ...] | None = None
    strides: tuple[int, ...] | None = None
    null: bool = False


@dataclass(frozen=True)
class Case:
    """One case, as it will be executed. Everything is resolved but the data itself.

    Parameters
    ----------
    id : str
        "<operator>/<id in the file>", then ":key=value,key=value" for matrix points. Unique in a run.
    dims, params : mapping
        Every dimension and scalar of the operator, defaults applied. A param named like a dim overrides only
        the scalar that is passed, not the shapes.
    limits : mapping of dim to Expression
        Dims that follow from the device; none once the device is known (`sizes.sized`). Until then `dims` has
        what they are on the first of the known devices.
    dtype : str
        The NumPy name of the case's dtype.
    data : mapping of input name to FillSpec
        Every input that is not absent.
    absent : frozenset of str
        Optional tensors that are passed as NULL, descriptor and pointer.
    pointers : frozenset of str
        Tensors (or "workspace", "handle") whose pointer is NULL.
    call : str
        "operator", or "workspace" to call the workspace query alone.
    statuses : tuple of str
        The expected mluOpStatus_t names without their prefix, any of which is right.
    compare : bool
        False: status only, outputs must stay untouched (zero-element successes).
    thresholds : mapping of measure to float
        The case's own, over the operator's.
    clusters : int, optional
        How many clusters kernels may use; 0: one core. All by default.
    mode : str
        "check", "status" (derived where the status is a refusal), "repeat" or "perf".
    """

    id: str
    operator: str
    origin: Origin
    dims: Mapping[str, int]
    params: Mapping[str, Scalar]
    dtype: str
    limits: Mapping[str, Expression] = field(default_factory=dict)
    data: Mapping[str, FillSpec] = field(default_factory=dict)
    absent: frozenset[str] = frozenset()
    descriptors: Mapping[str, DescriptorOverride] = field(default_factory=dict)
    pointers: frozenset[str] = frozenset()
    call: str = "operator"
    statuses: tuple[str, ...] = ("SUCCESS",)
    compare: bool = True
    thresholds: Mapping[str, float] = field(default_factory=dict)
    clusters: int | None = None
    mode: str = "check"
    repeat: int = 1
    tags: frozenset[str] = frozenset()
    checks: tuple[str, ...] = ()
    source: str = ""
    note: str = ""
    requires: frozenset[str] = frozenset()  # "device"
    library: str = ""  # version range of libmluops, as ">=1.0,<1.9"
    series: frozenset[str] = frozenset()  # device series; empty: any
    timeout: float | None = None  # seconds

    @property
    def refused(self) -> bool:
        """True where the call is, or may be, refused: nothing is computed then, and little is allocated."""
        return self.statuses != ("SUCCESS",)

    @property
    def expected_status(self) -> str:
        """The expected statuses in words, as "BAD_PARAM or NOT_SUPPORTED"."""
        return " or ".join(self.statuses)

    @property
    def entry_id(self) -> str:
        """The id without what a matrix added: that of the entry in the file."""
        return self.id.partition(":")[0]
