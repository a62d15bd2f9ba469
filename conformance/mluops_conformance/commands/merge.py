"""Join the folders of a run that was split with --shard into one, with its report and exit code."""

from __future__ import annotations

import argparse
from pathlib import Path

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
    from mluops_conformance.results.finishing import finish
    from mluops_conformance.results.merging import merge
    from mluops_conformance.results.reader import load_run

    out = Path(args.out)
    merge([load_run(folder) for folder in args.directory], out)
    return finish(out)
