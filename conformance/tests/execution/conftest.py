"""A session on the emulator, cases from a few lines of YAML, and C functions that misbehave."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any, Callable, Iterator

import numpy as np
import pytest
from mluops.constants import cnrtMemTransDir_t
from mluops_conformance.execution.options import RunOptions
from mluops_conformance.execution.session import Session
from mluops_conformance.language.load import load
from mluops_conformance.language.model import Case


@pytest.fixture
def session() -> Iterator[Session]:
    opened = Session(RunOptions(backend="emulator"))
    yield opened
    opened.close()


@pytest.fixture
def case_of(tmp_path: Path) -> Callable[[str, str], Case]:
    def build(operator: str, fields: str) -> Case:
        path = tmp_path / "case.yaml"
        entry = textwrap.indent("id: it\n" + textwrap.dedent(fields).strip(), "    ").replace(
            "    ", "  - ", 1
        )
        path.write_text(f"operator: {operator}\ncases:\n{entry}\n", encoding="utf-8")
        (case,) = load([path])
        return case

    return build


class Interposed:
    """A C function of a library, followed by something that a right one would not do.

    `after(arguments)` gets the arguments by parameter name, once the true function is done and synchronised.
    """

    def __init__(self, session: Session, name: str, after: Callable[[dict[str, Any]], None]) -> None:
        self._true = getattr(session.library, name)
        self.parameters = self._true.parameters
        self._session = session
        self._after = after

    def __call__(self, *arguments: Any) -> Any:
        status = self._true(*arguments)
        self._session.handle.synchronize()
        self._after(dict(zip(self.parameters, arguments)))
        return status


@pytest.fixture
def interpose(session: Session, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    def install(name: str, after: Callable[[dict[str, Any]], None]) -> None:
        monkeypatch.setitem(session.library.__dict__, name, Interposed(session, name, after))

    return install


@pytest.fixture
def poke(session: Session) -> Callable[[int, Any], None]:
    """Write to device memory behind the harness's back."""

    def write(address: int, values: Any) -> None:
        array = np.ascontiguousarray(values)
        copy = session.library.cnrtMemcpy
        copy.checked(address, array.ctypes.data, array.nbytes, cnrtMemTransDir_t.cnrtMemcpyHostToDev)

    return write
