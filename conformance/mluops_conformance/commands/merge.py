"""Join the folders of a run that was split with --shard into one, with its report and exit code."""

from __future__ import annotations

import argparse
from pathlib import Path

from mluops_conformance.commands.run import begun_with

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
    from mluops_conformance.engine.finishing import finish
    from mluops_conformance.results.reader import load_run
    from mluops_conformance.results.writer import merge, refuse_others

    out, parts = Path(args.out), [load_run(folder) for folder in args.directory]
    begun = {
        part.directory: begun_with(part.header.command) for part in parts if "run" in part.header.command
    }
    refuse_others({place: _selection(options) for place, options in begun.items() if options.shard})
    merge(parts, out)
    return finish(out)


def _selection(begun: argparse.Namespace) -> str:
    """What a part selected, before it was split, and by which thresholds it was judged.

    Case files count by their names alone, wherever they lie.
    """
    words = [*sorted(begun.query or ["suite=full"]), *(f"--cases {Path(path).name}" for path in begun.cases)]
    words += [f"--threshold {text}" for text in sorted(begun.threshold)]
    return " ".join(words + ["--static-thresholds"] * begun.static_thresholds)
