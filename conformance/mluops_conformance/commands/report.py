"""Report on a stored run: cases that need a look come first, with numbers and the command to repeat each.

DIR is the folder that `run --out DIR` wrote. An interrupted run gives a report of the cases so far.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from mluops_conformance import exit_codes
from mluops_conformance.reports import FORMATS
from mluops_conformance.reports.destination import add_output_option, deliver
from mluops_conformance.support.files import say
from mluops_conformance.support.formatting import legible

if TYPE_CHECKING:
    from mluops_conformance.results.reader import Run

EPILOG = """\
formats:
  text      for a terminal or a log; the last line has the counts
  junit     XML for Jenkins and GitLab, which `run` writes in any case
  json      everything, as one document with a versioned schema
  markdown  for a merge request, details folded
  html      one page with filters and plots, which loads nothing
  csv       a row for each output, for a spreadsheet

exit codes:
  0  reported, for every result of the run (see the exit code of `run`)
  4  no run can be read there
  5  reported, and the run executed no case

examples:
  mluops-conformance report nightly
  mluops-conformance report nightly --format markdown -o summary.md
  mluops-conformance report nightly --format html --history runs/history.sqlite -o nightly.html
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("directory", metavar="DIR", help="the folder of a run")
    parser.add_argument("--format", choices=FORMATS, default="text", help="default: %(default)s")
    parser.add_argument(
        "--history", metavar="FILE", help="html: an index of stored runs; show the history of each case"
    )
    parser.add_argument(
        "--every-case",
        action="store_true",
        help="text: show each case of a cause in full, not only the smallest",
    )
    add_output_option(parser)


def run(args: argparse.Namespace) -> int:
    from mluops_conformance.reports import render
    from mluops_conformance.results.reader import load_run

    stored = load_run(args.directory)
    deliver(lambda colour: render(stored, args.format, **_options(args, stored, colour)), args.output)
    if stored.executed:
        return exit_codes.PASSED
    say(legible(f"{args.directory}: nothing was executed in this run"), sys.stderr)
    return exit_codes.NOTHING_EXECUTED


def _history(path: str | None, stored: Run) -> dict[str, Any] | None:
    if path is None:
        return None
    from mluops_conformance.history.index import Index
    from mluops_conformance.history.series import of_run

    with Index(path) as index:
        return of_run(index, stored)


def _options(args: argparse.Namespace, stored: Run, colour: bool) -> dict[str, Any]:
    """Return the options that the format needs beside the run."""
    if args.format == "text":
        return {"colour": colour, "every": args.every_case}
    if args.format == "html":
        from mluops_conformance.language.requirements import own_requirements

        return {"requirements": own_requirements(), "history": _history(args.history, stored)}
    return {}
