"""Run cases on a device, or emulated without one, and judge them.

A QUERY is a case id (with * and ?) or predicates: operator=nms_rotated dtype=float16 tag=network.
All of them must hold. An argument of several words is a query of its own. Several queries select the union.
Without a query the suite 'full' runs.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Sequence

from mluops_conformance import exit_codes
from mluops_conformance.artefacts.keeper import SaveOptions
from mluops_conformance.engine.options import PREFIX, Options, PlanOptions
from mluops_conformance.engine.plugin import Engine
from mluops_conformance.errors import UserError
from mluops_conformance.execution.options import CacheOptions, RunOptions
from mluops_conformance.results.outcomes import CPU_MODEL, NOT_HARDWARE
from mluops_conformance.results.writer import claim, refuse_stored
from mluops_conformance.support.files import ended_by_sigterm, say, use_operators
from mluops_conformance.support.flags import DIGITS, add_flags, whole
from mluops_conformance.support.formatting import counted

if TYPE_CHECKING:
    from mluops_conformance.execution.backends import Backend
    from mluops_conformance.language.model import Case

EPILOG = """\
DIR receives results.jsonl (one event a line, as it happens), environment.json and junit.xml.

examples:
  mluops-conformance run
  mluops-conformance run tag=network --out nightly
  mluops-conformance run operator=nms_rotated tag=boundary -n 2 --backend device
  mluops-conformance run --save failed --save-limit 200M
  mluops-conformance run --resume nightly
  mluops-conformance run tag=network --mode perf --out perf
  mluops-conformance run tag=network --durations --cache ~/.cache/mluops-conformance
  mluops-conformance run --gtest-cases mlu-ops/test/mlu_op_gtest/pb_gtest/src/zoo --out gtest
"""

PLUGINS = (
    "no:terminal",
    "no:cacheprovider",
    "no:junitxml",
    "no:logging",
    "mluops_conformance.plugin",
    "xdist.plugin",
    "pytest_timeout",
)
ENGINE_ALONE = "PYTEST_DISABLE_PLUGIN_AUTOLOAD"
"""The engine alone: what else is installed beside pytest must not change a run."""

REUSED_MEMORY = {"MALLOC_MMAP_THRESHOLD_": str(1 << 28), "MALLOC_TRIM_THRESHOLD_": str(1 << 29)}
"""Bytes for glibc in workers: a case gets the memory of those before it, which the kernel need not clear."""

SLOWEST = 10
MAY_CHANGE = frozenset({"resume", "durations", "workers", "rerun_changed"})
"""The options that a resumed run accepts again."""


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
        "--hosts",
        action="append",
        default=[],
        metavar="SPEC",
        help="a worker on another machine, as in xdist: ssh=USER@HOST//python=PATH (repeatable, no -n)",
    )
    add_flags(PlanOptions, parser.add_argument, except_for=("query", "resume"))
    parser.add_argument("--resume", metavar="DIR", help="finish an interrupted run with its own options")
    parser.add_argument(
        "--durations",
        nargs="?",
        type=whole(0),
        const=SLOWEST,
        metavar="N",
        help=f"show the distribution of the time and the N slowest cases at the end (default: {SLOWEST})",
    )
    parser.add_argument(
        "--gtest-cases",
        action="append",
        default=[],
        type=Path,
        metavar="PATH",
        help="case of mlu-ops' gtest (.prototxt), or a folder of them; import into DIR and run (repeatable)",
    )
    parser.add_argument(
        "--models",
        action="store_true",
        help="on a library for the CPU, run again under each other assumption about intrinsics, and name the "
        "cases whose verdict hangs on one",
    )
    for kind in (SaveOptions, CacheOptions, RunOptions):
        add_flags(kind, parser.add_argument)


def run(args: argparse.Namespace) -> int:
    from mluops_conformance.engine.plan import plan
    from mluops_conformance.engine.terminal import finish
    from mluops_conformance.execution.backends import open_backend
    from mluops_conformance.language.known_issues import known_issues
    from mluops_conformance.language.load import case_paths, load_for
    from mluops_conformance.nativelog import silenced

    if args.rerun_changed and not args.resume:
        raise UserError("--rerun-changed goes with --resume DIR")
    slowest = args.durations
    if args.resume:
        args = _as_begun(args)
    options = _options(args)
    options.check()
    known_issues(options.run.known_issues)
    directory = Path(options.out)
    if args.resume or args.gtest_cases:
        claim(directory, options.plan.resume)
    if args.gtest_cases:
        options = _with_gtest_cases(options, args.gtest_cases)
    paths = case_paths(options.run.cases)
    cases = load_for(paths, options.plan.query)  # wrong files or queries are named before anything runs
    planned = plan(options, cases)
    words = _words(options, paths)
    with silenced():
        backend = open_backend(options.run)
        workers = _workers(args, backend, len(planned.cases))
        _demand_times(args, options.run, backend, planned.cases)
        _demand_models(args, backend)
        if args.resume and planned.cases:
            _demand_same(directory, backend)
    claim(directory, options.plan.resume)
    say(backend.notice(), sys.stderr)
    engine_code = exit_codes.PASSED
    if planned.cases or not args.resume:
        engine_code = _run_engine(Engine(options, planned, backend), [*workers, *words])
    say(f"results: {directory}", sys.stderr)
    if engine_code == exit_codes.INTERRUPTED:
        say(f"interrupted; mluops-conformance run --resume {directory} goes on", sys.stderr)
    code = finish(directory, slowest)
    if engine_code in (exit_codes.INTERRUPTED, exit_codes.INTERNAL_ERROR):
        return engine_code
    if args.models and not os.environ.get(CPU_MODEL):
        _say_models(directory)
    return code


def _options(args: argparse.Namespace) -> Options:
    """Return all options of a run; its folder is new, or the one to resume."""
    values = vars(args)
    given = {
        **values,
        "query": values["query"] or ["suite=full"],
        "resume": bool(args.resume),
        "out": args.resume or str(_new_directory(args.out)),
    }
    return Options.read(lambda flag: given[flag.replace("-", "_")])


def begun_with(command: Sequence[str]) -> argparse.Namespace:
    """The options of a stored command line that has `run` in it."""
    return _parser().parse_intermixed_args(command[command.index("run") + 1 :])


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser()
    configure(parser)
    return parser


def _as_begun(args: argparse.Namespace) -> argparse.Namespace:
    """The command line that began the run which `args` resumes.

    Raises
    ------
    UserError
        `args` also asks for something else, or the run does not say how it began.
    """
    from mluops_conformance.results.reader import load_run

    parser = _parser()
    other = [name for name, value in vars(args).items() if value not in (parser.get_default(name), [])]
    changed = sorted(set(other) - MAY_CHANGE)
    if changed:
        names = ", ".join(name.replace("_", "-") for name in changed)
        raise UserError(f"--resume uses the options of the run; leave out: {names}")
    command = load_run(args.resume).header.command
    if "run" not in command:
        raise UserError(f"{args.resume} does not say which command began it; run the rest by hand")
    begun = begun_with(command)
    use_operators(begun.operators)
    begun.resume, begun.workers, begun.rerun_changed = args.resume, args.workers, args.rerun_changed
    return begun


def _new_directory(given: str | None) -> Path:
    directory = Path(given) if given else Path("runs") / datetime.now().strftime("%Y%m%d-%H%M%S-%f")
    refuse_stored(directory)
    return directory


def _with_gtest_cases(options: Options, paths: list[Path]) -> Options:
    """Import gtest's cases; the importer is found by name alone, as all of `mluops_tools` is."""
    folder = Path(options.out) / "gtest-cases"
    importer = importlib.import_module("mluops_tools.gtest.import_folder")
    done = importer.import_into(paths, folder)
    say("\n".join([*done.refusals(), done.count()]), sys.stderr)
    if not done.written:
        raise UserError("none of the gtest cases can be run here")
    return replace(options, run=replace(options.run, cases=(*options.run.cases, str(folder))))


def _demand_times(
    args: argparse.Namespace, options: RunOptions, backend: Backend, planned: Sequence[Case]
) -> None:
    """Refuse to measure what would be no time of a device, or of one that other cases use as well.

    Raises
    ------
    UserError
        Also for figures of other devices that cannot be read.
    """
    from mluops_conformance.execution.execute import mode_of
    from mluops_conformance.language.competitors import figures
    from mluops_conformance.language.load import case_paths

    if options.mode == "perf" and not backend.hardware:
        instead = NOT_HARDWARE[backend.name][0]
        raise UserError(
            f"--mode perf measures a device, but this run would be {instead}: {backend.reason}.\n"
            "Use --backend device on a machine with an MLU; without --mode perf, cases are checked here too."
        )
    if not backend.hardware or all(mode_of(case, options.mode) != "perf" for case in planned):
        return
    figures(case_paths(options.cases))
    devices = backend.parallelism()
    if DIGITS.fullmatch(args.workers) and int(args.workers) > devices:
        raise UserError(
            f"-n {args.workers}: times are measured, so each worker needs its own device; "
            f"{counted(devices, 'device')} visible; leave out -n"
        )


def _demand_models(args: argparse.Namespace, backend: Backend) -> None:
    """Refuse to change the assumptions of what has none.

    Raises
    ------
    UserError
    """
    if args.models and backend.name != "cpu":
        raise UserError(f"--models goes with --library DIR of build-cpu; this run is on {backend.device}")


def _say_models(directory: Path) -> None:
    """Repeat the run under other models; what does it is found by name alone, as all of `mluops_tools` is."""
    repeating = importlib.import_module("mluops_tools.cpu.models")
    for line in repeating.compare_models(directory, lambda line: say(line, sys.stderr)):
        say(line)


def _demand_same(directory: Path, backend: Backend) -> None:
    """Refuse to go on elsewhere: a run speaks of one device and one build, and an emulated part of none.

    Raises
    ------
    UserError
        What the run began on is not what there is now, as when a device is gone or a variable is not set.
    """
    from mluops_conformance.results.environment import describe_library
    from mluops_conformance.results.reader import load_run

    run = load_run(directory)
    build = describe_library(backend.library)["library"]["sha256"] if run.build else ""
    begun = _place(run.header.backend, run.header.device, run.build)
    now = _place(backend.name, backend.device, build)
    if begun != now:
        raise UserError(f"--resume {directory}: started on {begun}; cannot resume on {now}: {backend.reason}")


def _place(backend: str, device: str, build: str) -> str:
    return f"{backend} {device}" + (f", libmluops {build[:8]}" if build else "")


def _workers(args: argparse.Namespace, backend: Backend, planned: int) -> list[str]:
    """Return the engine's words that spread the cases over processes."""
    if args.workers != "auto" and not DIGITS.fullmatch(args.workers):
        raise UserError(f"-n {args.workers}: write a number of workers, or auto")
    if args.hosts:
        where = [word for host in args.hosts for word in ("--tx", f"{host}//env:{ENGINE_ALONE}=1")]
        where += [f"--rsyncdir={path}" for path in args.cases]
    else:
        wanted = backend.parallelism() if args.workers == "auto" else int(args.workers)
        where = ["-n", str(min(wanted, planned))] if wanted else []
    return [*where, "--dist", "worksteal", "--max-worker-restart", str(sys.maxsize)] if where else []


def _words(options: Options, paths: Sequence[Path]) -> list[str]:
    """Return the words for pytest: the case files, and the options for the processes of workers.

    xdist copies the files that they name to other machines; built-in cases are there, in the installation.

    Raises
    ------
    UserError
        pytest, or a worker, does not take a name.
    """
    files = list(map(_word_of, paths)) if options.run.cases else []
    words = [*options.words(), *files]
    for before, word in zip(["", *words], words):
        try:
            word.encode("utf-8")
        except UnicodeEncodeError:
            option = before.replace(PREFIX, "--", 1) + "=" if before.startswith(PREFIX) else ""
            raise UserError(f"{option}{word}: workers are told names in UTF-8 alone; rename it") from None
    return words


def _word_of(path: Path) -> str:
    if "[" in str(path) or "::" in str(path):
        raise UserError(f"{path}: pytest, which executes cases, takes no '[' or '::' in a path; rename it")
    return str(path) if path.is_absolute() else os.path.join(os.curdir, path)


def _run_engine(engine: Engine, words: list[str]) -> int:
    import pytest

    os.environ[ENGINE_ALONE] = "1"
    for variable, size in REUSED_MEMORY.items():
        os.environ.setdefault(variable, size)
    for variable in ("PYTEST_ADDOPTS", "PYTEST_PLUGINS"):
        os.environ.pop(variable, None)
    settings = ["--noconftest"]
    settings += [word for plugin in PLUGINS for word in ("-p", plugin)]
    settings += [f"-c{os.devnull}", f"--rootdir={os.getcwd()}"]
    with ended_by_sigterm():
        return int(pytest.main([*settings, *words], plugins=[engine]))
