"""Run cases on a device, or emulated where there is none, and judge them.

A QUERY is a case id (with * and ?) or predicates: operator=nms_rotated dtype=float16 tag=network.
Words of one argument must all hold; several arguments select the union.
Without a query the suite 'full' runs.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Iterator

from mluops_conformance import exit_codes
from mluops_conformance.errors import UserError
from mluops_conformance.options import RunOptions, add_to, case_paths
from mluops_conformance.plan import PlanOptions
from mluops_conformance.results.reader import RESULTS

if TYPE_CHECKING:
    from mluops_conformance.execution.backends import Backend

EPILOG = """\
DIR receives results.jsonl (one event a line, as it happens), environment.json and junit.xml.

examples:
  mluops-conformance run
  mluops-conformance run tag=network --out nightly
  mluops-conformance run operator=nms_rotated tag=boundary -n 2 --backend device
  mluops-conformance run --resume nightly
"""

PLUGINS = (
    "no:terminal",
    "no:cacheprovider",
    "no:junitxml",
    "mluops_conformance.plugin",
    "xdist.plugin",
    "pytest_timeout",
)
"""The engine alone: what else is installed beside pytest must not change a run."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("query", nargs="*", metavar="QUERY", help="which cases (default: suite=full)")
    parser.add_argument("--out", metavar="DIR", help="folder for the results (default: runs/ and the time)")
    parser.add_argument(
        "-n",
        "--workers",
        default="auto",
        metavar="N",
        help="worker processes; auto: one a device, or a core; 0: this process, where a crash ends the run",
    )
    parser.add_argument(
        "--shard", default="", metavar="i/N", help="run the i-th of N parts, the same everywhere"
    )
    parser.add_argument("--times", default="", metavar="DIR", help="a run whose times balance the parts")
    parser.add_argument("--resume", metavar="DIR", help="finish an interrupted run with its own options")
    add_to(parser.add_argument)


def run(args: argparse.Namespace) -> int:
    from mluops_conformance.execution.backends import open_backend
    from mluops_conformance.language.known_issues import known_issues
    from mluops_conformance.plan import plan

    if args.resume:
        args = _as_begun(Path(args.resume))
    options = RunOptions.read(lambda flag: getattr(args, flag.replace("-", "_")))
    known_issues(options.known_issues)
    directory = Path(args.resume) if args.resume else _new_directory(args.out)
    narrowing = PlanOptions(
        queries=tuple(args.query or ["suite=full"]),
        shard=args.shard,
        times=args.times,
        finished_in=args.resume or "",
    )
    planned = plan(options, narrowing)  # what is wrong with files or queries is said before anything runs
    backend = open_backend(options)
    print(backend.notice(), file=sys.stderr)
    engine_code = exit_codes.PASSED
    if planned:
        workers = _worker_count(args.workers, backend)
        engine_code = _run_engine(options, narrowing, directory, min(workers, len(planned)))
    return _report(directory, engine_code)


def _as_begun(directory: Path) -> argparse.Namespace:
    """The command line that began the run in `directory`."""
    from mluops_conformance.results.reader import load_run

    command = load_run(directory).header.command
    if "run" not in command:
        raise UserError(f"{directory} does not say which command began it; run the rest by hand")
    parser = argparse.ArgumentParser()
    configure(parser)
    args = parser.parse_args(command[command.index("run") + 1 :])
    args.resume = str(directory)
    return args


def _new_directory(given: str | None) -> Path:
    directory = Path(given) if given else Path("runs") / datetime.now().strftime("%Y%m%d-%H%M%S-%f")
    if (directory / RESULTS).exists():
        raise UserError(
            f"{directory} already holds a run; choose another --out, remove it, or --resume {directory}"
        )
    return directory


def _worker_count(text: str, backend: Backend) -> int:
    if text == "auto":
        return backend.parallelism()
    if not text.isdigit():
        raise UserError(f"-n {text}: write a number of workers, or auto")
    return int(text)


def _run_engine(options: RunOptions, narrowing: PlanOptions, directory: Path, workers: int) -> int:
    import pytest

    directory.mkdir(parents=True, exist_ok=True)
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    os.environ.pop("PYTEST_ADDOPTS", None)
    arguments = [word for plugin in PLUGINS for word in ("-p", plugin)]
    arguments += ["-c", os.devnull, "--rootdir", os.getcwd()]
    if workers:
        arguments += ["-n", str(workers), "--dist", "worksteal", "--max-worker-restart", str(sys.maxsize)]
    arguments += [*options.arguments("--mluop-"), *narrowing.arguments("--mluop-")]
    arguments += ["--mluop-out", str(directory)]
    with _ended_by_sigterm():
        return int(pytest.main([*arguments, *map(str, case_paths(options.cases))]))


@contextmanager
def _ended_by_sigterm() -> Iterator[None]:
    """Let a CI server's SIGTERM end the run as Ctrl-C does: with valid files and a report."""

    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _report(directory: Path, engine_code: int) -> int:
    from mluops_conformance.reports import colour, render
    from mluops_conformance.results.outcomes import exit_code
    from mluops_conformance.results.reader import load_run

    stored = load_run(directory)
    (directory / "junit.xml").write_text(render(stored, "junit"), encoding="utf-8")
    print(render(stored, "text", colour.is_wanted(sys.stdout)))
    if engine_code in (exit_codes.INTERRUPTED, exit_codes.INTERNAL_ERROR):
        return engine_code
    return exit_code(stored)
