"""The results of a campaign: a file of lines, which another campaign continues, and the report on them."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Iterable, Iterator, Mapping, Sequence

from mluops_conformance.errors import OutputError, UserError
from mluops_conformance.support.formatting import counted, per_cent
from tabulate import tabulate

FILE = "mutation.jsonl"
FORMAT = 1

CAUGHT, SURVIVED, EQUIVALENT, UNCOMPILED = "caught", "survived", "equivalent", "not compiled"
VERDICTS = (CAUGHT, SURVIVED, EQUIVALENT, UNCOMPILED)


@dataclass(frozen=True)
class Result:
    """The result of one change.

    Parameters
    ----------
    id : str
        Of the change.
    unit : str
        Its folder of kernels.
    kind : str
    verdict : str
        Of `VERDICTS`. The code of an equivalent change is that of the unchanged sources.
    tried : int
        How many cases were executed.
    case, how, reason : str
        The case that caught it, what of it was wrong, and the reason; the compiler's first error. The id of
        an example of a search has its operator, kind, dtype, seed and number.
    seconds : float
        Of building and trying.
    sources : str
        Digest of the folder's sources.
    suite : str
        Digest of the cases that were there to be tried.
    spent : float
        Processor time of the operator's cases until one caught it, or of all cases.
    search : float
        Processor time that a search had for each operator; 0 for written cases.
    """

    id: str
    unit: str
    kind: str
    verdict: str
    tried: int = 0
    case: str = ""
    how: str = ""
    reason: str = ""
    seconds: float = 0.0
    sources: str = ""
    suite: str = ""
    spent: float = 0.0
    search: float = 0.0


@dataclass(frozen=True)
class Suite:
    """The cases of a folder, as they are without a fault, or a search for cases.

    Parameters
    ----------
    unit : str
    sources : str
        Digest of its sources.
    digest : str
        Of all its cases.
    seconds : mapping of str to float
        Processor time of the cases that pass, by id.
    left_out : mapping of str to str
        Outcomes of the cases that do not pass, by id: these are not tried.
    search : float
        Processor time of the search for each operator; 0 for written cases.
    """

    unit: str
    sources: str
    digest: str
    seconds: Mapping[str, float]
    left_out: Mapping[str, str]
    search: float = 0.0

    def holds(self, result: Result) -> bool:
        """Return True if a result is still right.

        A fault of other sources is to be tried again, and so is one that survived other cases or a shorter
        search, one whose case is gone, and one that met written cases where a search is wanted.
        """
        if result.sources != self.sources or bool(result.search) != bool(self.search):
            return False
        if result.verdict == SURVIVED:
            return result.suite == self.digest and result.search >= self.search
        return bool(self.search) or not result.case or result.case in self.seconds


class Store:
    """The file of a folder.

    Parameters
    ----------
    folder : Path
        Made where it does not exist.

    Raises
    ------
    UserError
        The file is another program's or version's.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE
        folder.mkdir(parents=True, exist_ok=True)
        self.suites: dict[str, Suite] = {}
        self.results: dict[str, Result] = {}
        if self.path.is_file():
            self._read()
        else:
            self._append({"event": "campaign", "format": FORMAT})

    def add(self, entry: Suite | Result) -> None:
        """Keep one more entry, at once."""
        self._keep(entry)
        self._append({"event": type(entry).__name__.lower(), **asdict(entry)})

    def suite(self, unit: str, sources: str, digest: str) -> Suite | None:
        """Return the stored suite of a folder if sources and cases are still the same."""
        stored = self.suites.get(unit)
        return stored if stored and (stored.sources, stored.digest) == (sources, digest) else None

    def result(self, change: str, suite: Suite) -> Result | None:
        """Return the result of a change if it still holds."""
        stored = self.results.get(change)
        return stored if stored and suite.holds(stored) else None

    def _keep(self, entry: Suite | Result) -> None:
        if isinstance(entry, Suite):
            self.suites[entry.unit] = entry
        else:
            self.results[entry.id] = entry

    def _read(self) -> None:
        kinds = {"suite": Suite, "result": Result}
        text = self.path.read_text(encoding="utf-8", errors="replace")
        try:
            first, *lines = [json.loads(line) for line in text.split("\n")[:-1]]
            if first != {"event": "campaign", "format": FORMAT}:
                raise ValueError
            for line in lines:
                self._keep(kinds[line.pop("event")](**line))
        except (ValueError, KeyError, TypeError, AttributeError):
            raise UserError(
                f"{self.path}: no results of this version of mutate; choose another --out"
            ) from None
        if not text.endswith("\n"):  # the last line of a process that was killed
            self.path.write_text(text[: text.rfind("\n") + 1], encoding="utf-8")

    def _append(self, line: Mapping[str, object]) -> None:
        try:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")
        except OSError as error:
            raise OutputError(f"{self.path} cannot be written: {error.strerror}") from None


def report(results: Sequence[Result]) -> str:
    """Return a table of folders, the survivors, and a line of counts."""
    return "\n".join([_table(results), "", *_survivors(results), _summary(results)])


def _table(results: Iterable[Result]) -> str:
    counts: dict[str, Counter[str]] = {}
    for result in results:
        for row in (result.unit, f"  {result.kind}"):
            counts.setdefault(row, Counter())[result.verdict] += 1
    rows = sorted(counts, key=lambda row: (row.startswith(" "), row))
    lines = [[row.strip(), *(counts[row][verdict] for verdict in VERDICTS)] for row in rows]
    return str(tabulate(lines, headers=("folder, or kind", *VERDICTS), tablefmt="plain"))


def _survivors(results: Iterable[Result]) -> Iterator[str]:
    for result in results:
        if result.verdict == SURVIVED:
            yield f"SURVIVED {result.id} ({counted(result.tried, 'case')} tried)"


def _summary(results: Sequence[Result]) -> str:
    verdicts = Counter(result.verdict for result in results)
    faults = verdicts[CAUGHT] + verdicts[SURVIVED]
    share = f" ({per_cent(verdicts[CAUGHT] / faults)})" if faults else ""
    return (
        f"{counted(faults, 'fault')}: {verdicts[CAUGHT]} caught{share}, {verdicts[SURVIVED]} survived; "
        f"not counted: {verdicts[EQUIVALENT]} equivalent, {verdicts[UNCOMPILED]} not compiled"
    )
