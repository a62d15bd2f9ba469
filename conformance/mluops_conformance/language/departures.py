"""The arguments of a call that a case makes unusual: what a refusal may be about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from mluops_conformance.language.dump import override_text

if TYPE_CHECKING:
    from mluops_conformance.language.model import Case


def departures(case: Case) -> tuple[str, ...]:
    """Name each argument that a case changes, or the sizes and scalars of one that changes none.

    Parameters
    ----------
    case : Case
        With its dimensions resolved.
    """
    return tuple(_changed(case)) or tuple(_numbers(case))


def _changed(case: Case) -> Iterator[str]:
    for name in sorted(case.absent):
        yield f"`{name}`: descriptor and pointer NULL"
    for name, override in case.descriptors.items():
        yield f"descriptor of `{name}`: {override_text(override)}"
    for name in sorted(case.pointers):
        yield f"`{name}`: pointer NULL"
    for name, value in case.params.items():
        if name in case.dims and value != case.dims[name]:
            yield f"{name}: {value}, where the shapes have {case.dims[name]}"
    if case.clusters is not None:
        yield f"clusters: {case.clusters}"


def _numbers(case: Case) -> Iterator[str]:
    numbers = {**case.dims, **case.params}
    yield ", ".join(f"{name} {value}" for name, value in numbers.items())
