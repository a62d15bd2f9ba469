"""Keep an index of stored runs, and show the history of a case.

add DIR...            index runs; a folder that holds folders of runs stands for all of them
list                  the runs of the index
show CASE             a case in every run, with its steps
first-bad [BASE NEW]  for each case that is bad in NEW: the run in which it became bad
prune --keep N        forget all runs but the latest N, and runs whose folders are gone
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Sequence

from mluops_conformance import exit_codes
from mluops_conformance.errors import UserError
from mluops_conformance.support.flags import whole

if TYPE_CHECKING:
    from mluops_conformance.history.index import Index, IndexedRun

DEFAULT_INDEX = "runs/history.sqlite"
EPILOG = """\
BASE and NEW are numbers of runs, as `list` shows them, or folders; without them the oldest and the latest.

exit codes:
  0  done; first-bad: every case that is bad in NEW was bad in BASE
  1  first-bad: a case is bad in NEW and was not in BASE
  4  no such run or case, or the index cannot be read

examples:
  mluops-conformance history add runs
  mluops-conformance history show nms_rotated/network-34:box_dim=5,iou_threshold=0.3
  mluops-conformance history first-bad 3 12
  mluops-conformance history prune --keep 50 --delete
"""


def configure(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    add = actions.add_parser("add", help="index runs")
    add.add_argument(
        "directories", nargs="+", metavar="DIR", help="a run's folder, or a folder of such folders"
    )
    listing = actions.add_parser("list", help="the runs of the index")
    show = actions.add_parser("show", help="a case in every run")
    show.add_argument("case", metavar="CASE", help="its id")
    first = actions.add_parser("first-bad", help="the run in which each bad case became bad")
    first.add_argument("between", nargs="*", metavar="BASE NEW", help="two runs (default: oldest and latest)")
    prune = actions.add_parser("prune", help="forget runs")
    prune.add_argument("--keep", type=whole(0), metavar="N", help="the number of latest runs to keep")
    prune.add_argument("--delete", action="store_true", help="delete the folders of the forgotten runs too")
    for action in (add, listing, show, first, prune):
        action.add_argument(
            "--index", default=DEFAULT_INDEX, metavar="FILE", help="the index (default: %(default)s)"
        )


def run(args: argparse.Namespace) -> int:
    from mluops_conformance.history.index import Index

    with Index(args.index, create=args.action == "add") as index:
        return ACTIONS[args.action](index, args)


def _add(index: Index, args: argparse.Namespace) -> int:
    from mluops_conformance.results.reader import load_run

    folders = [folder for given in args.directories for folder in _run_folders(Path(given))]
    for folder in folders:
        index.add(load_run(folder))
    print(f"{len(folders)} indexed, {len(index.runs())} in all")
    return exit_codes.PASSED


def _run_folders(directory: Path) -> list[Path]:
    from mluops_conformance.results.reader import RESULTS

    if (directory / RESULTS).exists():
        return [directory]
    found = sorted(path.parent for path in directory.glob(f"*/{RESULTS}"))
    if not found:
        raise UserError(f"{directory}: no run is stored here, nor in a folder below")
    return found


def _list(index: Index, args: argparse.Namespace) -> int:
    from mluops_conformance.history.series import runs_table

    print(runs_table(index.runs()))
    return exit_codes.PASSED


def _show(index: Index, args: argparse.Namespace) -> int:
    from difflib import get_close_matches

    from mluops_conformance.history.series import case_table

    points = index.points(args.case)
    if not points:
        known = index.cases()
        near = [case for case in known if case.startswith(args.case)] or get_close_matches(args.case, known)
        hint = f"; did you mean {' or '.join(near[:3])}?" if near else ""
        raise UserError(f"no run of the index has {args.case}{hint}")
    print(case_table(args.case, index.runs(), points))
    return exit_codes.PASSED


def _first_bad(index: Index, args: argparse.Namespace) -> int:
    from mluops_conformance.history.series import comparable, first_bad_text, newly_bad
    from mluops_conformance.results.outcomes import planted_faults
    from mluops_conformance.support.formatting import counted

    base, new = _between(index, args.between)
    runs = index.runs()
    span = runs[runs.index(base) : runs.index(new) + 1]
    others = sum(planted_faults(run.device) != planted_faults(new.device) for run in span)
    span = comparable(span, new.backend, new.device)
    found = newly_bad(span, index.outcomes([run.id for run in span]))
    if found:
        print(first_bad_text(found) + "\n")
    left_out = f"; {others} with other planted faults left out" if others else ""
    last = f"{len(found)} newly bad from run {base.id} to run {new.id}"
    print(f"{last}, of {counted(len(span), 'comparable run')}{left_out}")
    return exit_codes.FAILED if found else exit_codes.PASSED


def _between(index: Index, given: Sequence[str]) -> tuple[IndexedRun, IndexedRun]:
    runs = index.runs()
    if len(runs) < 2:
        raise UserError("the index has fewer than two runs")
    if len(given) not in (0, 2):
        raise UserError("first-bad takes two runs, or none for the oldest and the latest")
    base, new = (_named(index, runs, text) for text in given) if given else (runs[0], runs[-1])
    if runs.index(base) >= runs.index(new):
        raise UserError(f"run {base.id} did not begin before run {new.id}")
    return base, new


def _named(index: Index, runs: Sequence[IndexedRun], text: str) -> IndexedRun:
    for run in runs:
        if text == str(run.id) or index.directory(run).resolve() == Path(text).resolve():
            return run
    raise UserError(f"the index has no run {text}; `history list` shows those it has")


def _prune(index: Index, args: argparse.Namespace) -> int:
    from mluops_conformance.history.index import delete_run

    runs = index.runs()
    old = runs[: max(len(runs) - args.keep, 0)] if args.keep is not None else []
    gone = [run for run in runs if run not in old and not index.directory(run).is_dir()]
    index.remove([run.id for run in (*old, *gone)])
    deleted = sum(delete_run(index.directory(run)) for run in old) if args.delete else 0
    print(f"{len(old)} forgotten, {len(gone)} gone, {deleted} folders deleted")
    return exit_codes.PASSED


ACTIONS = {"add": _add, "list": _list, "show": _show, "first-bad": _first_bad, "prune": _prune}
