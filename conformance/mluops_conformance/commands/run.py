"""Run cases on a device, or emulated where there is none, and judge them.

A QUERY is a case id (with * and ?) or predicates: operator=nms_rotated dtype=float16 tag=network.
Words of one argument must all hold; several arguments select the union.
Without a query the suite 'full' runs.
"""

from __future__ import annotations

import argparse
import os
import sys
from datetime import datetime
from pathlib import Path

from mluops_conformance import exit_codes
from mluops_conformance.errors import UserError
from mluops_conformance.options import RunOptions, add_to, case_paths
from mluops_conformance.results.reader import RESULTS

EPILOG = """\
DIR receives results.jsonl (one event a line, as it happens), environment.json and junit.xml.

examples:
  mluops-conformance run
  mluops-conformance run tag=network --out nightly
  mluops-conformance run 'operator=nms_rotated tag=boundary' -n 2 --backend device
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
        default="1",
        metavar="N",
        help="worker processes; 0: this process, where a crash ends the run",
    )
    add_to(parser.add_argument)


def run(args: argparse.Namespace) -> int:
    from mluops_conformance.execution.backends import open_backend
    from mluops_conformance.language.known_issues import known_issues
    from mluops_conformance.selection import select

    options = RunOptions.read(lambda flag: getattr(args, flag.replace("-", "_")))
    queries = args.query or ["suite=full"]
    select(options, queries)  # what is wrong with files or queries is said before anything runs
    known_issues(options.known_issues)
    directory = _new_directory(args.out)
    print(open_backend(options).notice(), file=sys.stderr)
    engine_code = _run_engine(options, queries, directory, _worker_count(args.workers))
    return _report(directory, engine_code)


def _new_directory(given: str | None) -> Path:
    directory = Path(given) if given else Path("runs") / datetime.now().strftime("%Y%m%d-%H%M%S-%f")
    if (directory / RESULTS).exists():
        raise UserError(f"{directory} already holds a run; choose another --out, or remove it")
    return directory


def _worker_count(text: str) -> int:
    if text == "auto":
        return os.cpu_count() or 1
    if not text.isdigit():
        raise UserError(f"-n {text}: write a number of workers, or auto")
    return int(text)


def _run_engine(options: RunOptions, queries: list[str], directory: Path, workers: int) -> int:
    import pytest

    directory.mkdir(parents=True, exist_ok=True)
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    os.environ.pop("PYTEST_ADDOPTS", None)
    arguments = [word for plugin in PLUGINS for word in ("-p", plugin)]
    arguments += ["-c", os.devnull, "--rootdir", os.getcwd()]
    arguments += ["-n", str(workers), "--max-worker-restart", "1000000"] if workers else []
    arguments += [f"--mluop-query={query}" for query in queries]
    arguments += [*options.arguments("--mluop-"), "--mluop-out", str(directory)]
    return int(pytest.main([*arguments, *map(str, case_paths(options.cases))]))


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
