"""Join the folders of a run that was split with --shard into one, with its report and exit code."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import Mapping, Sequence

from mluops_conformance.commands.run import begun_with
from mluops_conformance.errors import UserError
from mluops_conformance.results import environment
from mluops_conformance.results.basis import refuse_other_bases
from mluops_conformance.results.reader import ENVIRONMENT, RESULTS, Run
from mluops_conformance.results.writer import ResultsWriter, claim, is_claimed

EPILOG = """\
examples:
  mluops-conformance run --shard 1/2 --out part-1     # on one machine
  mluops-conformance run --shard 2/2 --out part-2     # on another
  mluops-conformance merge part-1 part-2 --out nightly
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("directory", nargs="+", metavar="DIR", help="folder of a part")
    parser.add_argument("--out", required=True, metavar="DIR", help="folder for the whole")


def run(args: argparse.Namespace) -> int:
    from mluops_conformance.engine.terminal import finish
    from mluops_conformance.results.reader import load_run

    out, parts = Path(args.out), [load_run(folder) for folder in args.directory]
    begun = {
        part.directory: begun_with(part.header.command) for part in parts if "run" in part.header.command
    }
    refuse_others({place: _selection(options) for place, options in begun.items() if options.shard})
    merge(parts, out)
    return finish(out)


def _selection(begun: argparse.Namespace) -> str:
    """Return the selection of a part before it was split, with the thresholds that judged it.

    Case files count by their names alone, wherever they lie.
    """
    words = [*sorted(begun.query or ["suite=full"]), *(f"--cases {Path(path).name}" for path in begun.cases)]
    words += [f"--threshold {text}" for text in sorted(begun.threshold)]
    return " ".join(words + ["--static-thresholds"] * begun.static_thresholds)


def merge(parts: Sequence[Run], directory: Path) -> None:
    """Write one run that holds the records of all parts, in their order; the environment is the first part's.

    Raises
    ------
    UserError
        The parts ran on different backends, devices or builds of the library or with different seeds, have a
        case in common, are not complete, or the folder holds a run.
    """
    _check_parts(parts)
    claim(directory)
    first = parts[0].header
    contradictions = {key: value for part in parts for key, value in part.header.contradictions.items()}
    planned = sum(len(part.records) + part.missing for part in parts)
    with ResultsWriter(directory / RESULTS) as writer:
        writer.write(replace(first, run=directory.name, planned=planned, contradictions=contradictions))
        for part in parts:
            for record in part.records:
                writer.write(record)
    environment.write(directory / ENVIRONMENT, parts[0].environment)


def _check_parts(parts: Sequence[Run]) -> None:
    for part in parts:
        if is_claimed(part.directory):
            raise UserError(f"{part.directory}: a run still writes to this folder; wait until it ends")
    refuse_others({part.directory: f"{part.header.backend} {part.header.device}" for part in parts})
    refuse_others({part.directory: part.build[:8] for part in parts if part.build}, " as libmluops")
    _check_shards(parts)
    refuse_other_bases({str(part.directory): part.header.basis for part in parts})
    seen: dict[str, Path] = {}
    for part in parts:
        for record in part.records:
            if record.id in seen:
                raise UserError(f"{record.id} stands in {seen[record.id]} and in {part.directory}")
            seen[record.id] = part.directory


def _check_shards(parts: Sequence[Run]) -> None:
    """Refuse parts of one split run if a part is missing, or if their seeds differ."""
    shards = {part.directory: _option(part, "--shard") for part in parts}
    refuse_others({place: text.partition("/")[2] for place, text in shards.items() if text}, " parts in all")
    refuse_others({part.directory: _option(part, "--seed") or "0" for part in parts}, " as --seed")
    whole = [str(place) for place, text in shards.items() if not text]
    if 0 < len(whole) < len(shards):
        raise UserError(f"not parts of a split run: started without --shard: {', '.join(whole)}")
    have = {text.partition("/")[0] for text in shards.values()}
    count = next(iter(shards.values())).partition("/")[2] or "0"
    missing = [f"{index}/{count}" for index in range(1, int(count) + 1) if str(index) not in have]
    if missing:
        raise UserError(f"these parts are missing: {', '.join(missing)}")


def refuse_others(said: Mapping[Path, str], what: str = "") -> None:
    """Refuse folders that do not all say the same.

    Raises
    ------
    UserError
        It names each folder with what it says.
    """
    if len({*said.values()}) > 1:
        shown = ", ".join(f"{place} ({text}{what})" for place, text in said.items())
        raise UserError(f"these are not parts of one run: {shown}")


def _option(run: Run, flag: str) -> str:
    """The value of an option of the command that began the run; empty without it."""
    words = [word for given in run.header.command for word in given.split("=", 1)]
    return words[words.index(flag) + 1] if flag in words[:-1] else ""
