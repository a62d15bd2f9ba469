"""Report on a stored run: what needs a look first, each case with its numbers and the line that repeats it.

DIR is the folder that `run --out DIR` wrote. A run that was cut short is reported as far as it got.
"""

from __future__ import annotations

import argparse
from typing import Any

from mluops_conformance import exit_codes
from mluops_conformance.reports import FORMATS
from mluops_conformance.reports.destination import add_output_option, deliver

EPILOG = """\
formats:
  text      for a terminal or a log; the last line has the counts
  junit     XML for Jenkins and GitLab, which `run` writes in any case
  json      everything, as one document with a versioned schema
  markdown  for a merge request, details folded
  html      one page with filters and plots, which loads nothing
  csv       a row for each output, for a spreadsheet

examples:
  mluops-conformance report nightly
  mluops-conformance report nightly --format markdown -o summary.md
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("directory", metavar="DIR", help="the folder of a run")
    parser.add_argument("--format", choices=FORMATS, default="text", help="default: %(default)s")
    add_output_option(parser)


def run(args: argparse.Namespace) -> int:
    from mluops_conformance.reports import render
    from mluops_conformance.results.reader import load_run

    stored = load_run(args.directory)
    deliver(lambda colour: render(stored, args.format, **_options(args, colour)), args.output)
    return exit_codes.PASSED


def _options(args: argparse.Namespace, colour: bool) -> dict[str, Any]:
    """What the format needs beside the run."""
    if args.format == "text":
        return {"colour": colour}
    if args.format == "html":
        from mluops_conformance.language.requirements import own_requirements

        return {"requirements": own_requirements()}
    return {}
