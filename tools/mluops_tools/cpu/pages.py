"""The command line of generated pages: write a page, or say where records contradict it."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Sequence

from mluops_conformance import exit_codes
from mluops_conformance.support.files import say


def page_parser(description: str | None) -> argparse.ArgumentParser:
    """Return a parser with `--check` and the page; what it is made from is added by the caller."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="check the page instead of writing it")
    parser.add_argument("page", type=Path)
    return parser


def tell_contradictions(page: Path, compared: str, wrong: Sequence[str]) -> int:
    """Print what contradicts a page, and how much was compared; return the exit code."""
    for line in wrong:
        say(line, sys.stderr)
    say(f"{compared} compared with {page}: {len(wrong)} contradictions")
    return exit_codes.FAILED if wrong else exit_codes.PASSED
