"""The command `mluops-conformance`: one module a subcommand, imported when it is called."""

from __future__ import annotations

import argparse
import errno
import importlib
import io
import os
import sys
import traceback
from typing import NoReturn, Sequence

from mluops_conformance import __version__, exit_codes
from mluops_conformance.errors import UserError
from mluops_conformance.support.files import open_standard_streams, say, silence, use_operators, write
from mluops_conformance.support.formatting import legible

PROGRAM = "mluops-conformance"

COMMANDS = {
    "run": "run cases and judge them",
    "list": "list the cases that a query selects",
    "show": "show one case: its tensors, data, thresholds and call",
    "report": "report on a stored run as text, JUnit, JSON, Markdown, HTML or CSV",
    "compare": "compare a run with an earlier one: what got worse",
    "history": "index stored runs: a case over time, and the run in which it became bad",
    "replay": "execute a case again on the inputs that a run kept",
    "diff": "show where outputs that a run kept are wrong",
    "merge": "join the parts of a run that was split",
    "coverage": "show what cases cover: requirements, C functions, statuses, dtypes, layouts, values",
    "selftest": "plant faults into the emulator, and show which cases catch each",
    "lint": "check case files without running anything",
    "doctor": "show what this machine has, what is missing and how to get it",
}
TOOLS = {
    "build-cpu": "build mlu-ops' own host code and kernels for the CPU, to run cases on them",
    "mutate": "plant faults into mlu-ops' own sources, and show which ones no case catches",
    "check-abi": "compare an mlu_op.h, and a library, with the binding's declarations",
    "bench": "measure what the references, the judging and the harness itself cost",
    "import-gtest": "make case files of cases of mlu-ops' own gtest",
    "export-gtest": "write cases as files that mlu-ops' own gtest reads",
    "skeleton": "write the files of a new operator from its C function",
    "fuzz": "search for failures: run random cases of the operators, and make those that fail small",
    "shrink": "make a failing case as small as its failure allows",
}
"""Commands of `mluops_tools`, which this package does not depend on: they are found by name alone."""

BLAS_THREADS = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS")
"""Cases run in parallel; threads inside of one only get in the way. NumPy reads these when it is imported."""

OF_NAMES = frozenset(
    {
        errno.ENOENT,
        errno.ENOTDIR,
        errno.EISDIR,
        errno.EEXIST,
        errno.ELOOP,
        errno.ENAMETOOLONG,
        errno.EACCES,
        errno.EPERM,
        errno.EROFS,
    }
)
"""Errors of a file's name or place. Errors of the machine, such as a full disk, are not among them."""


class Parser(argparse.ArgumentParser):
    """Says what is wrong with a command line in one line, which a usage of thirty options would bury."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}; '{self.prog} --help' explains\n")


def build_parser() -> Parser:
    """The parser of all subcommands' names; each subcommand configures itself when it is called."""
    parser = Parser(
        prog=PROGRAM,
        description="Run libmluops operators against a double-precision reference and judge the difference.",
        epilog=_epilog(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"{PROGRAM} {__version__}")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, summary in {**COMMANDS, **TOOLS}.items():
        subparsers.add_parser(name, help=summary, add_help=False)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run one subcommand.

    Returns
    -------
    int
        One of `exit_codes`.
    """
    open_standard_streams()
    try:
        return _run(list(sys.argv[1:] if argv is None else argv))
    finally:  # Python's own attempt, at its end, would replace the exit code
        for stream in (sys.stdout, sys.stderr):
            write("", stream)


def _run(arguments: Sequence[str]) -> int:
    if isinstance(sys.stdout, io.TextIOWrapper):  # an encoding, or a file's name, must not end a report
        sys.stdout.reconfigure(errors="backslashreplace")
    if not arguments:
        build_parser().print_help()
        return exit_codes.USAGE
    try:
        _check(arguments)
        if arguments[0] in COMMANDS or arguments[0] in TOOLS:
            return _run_command(arguments[0], arguments[1:])
        build_parser().parse_args(arguments)
    except SystemExit as stop:  # argparse: 2 for usage, which is pytest's "interrupted"
        return exit_codes.USAGE if stop.code == 2 else int(stop.code or 0)
    except UserError as error:
        say(legible(f"{PROGRAM}: {error}" if error.prefixed else str(error)), sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        return exit_codes.INTERRUPTED
    except BrokenPipeError:  # the reader of a listing left, as `head` does; verdicts are kept by `files.say`
        silence(sys.stdout)
        return exit_codes.PASSED
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        say(legible(f"{PROGRAM}: {where}{error.strerror or error}"), sys.stderr)
        return exit_codes.USAGE if error.errno in OF_NAMES else exit_codes.INTERNAL_ERROR
    except MemoryError:
        say(f"{PROGRAM}: there is not enough memory", sys.stderr)
        return exit_codes.INTERNAL_ERROR
    except Exception:  # Python's own answer would be 1, which says that a case did not pass
        say(traceback.format_exc(), sys.stderr)
        return exit_codes.INTERNAL_ERROR
    return exit_codes.USAGE


def _check(arguments: Sequence[str]) -> None:
    """Refuse what no command could make sense of.

    Raises
    ------
    UserError
        An empty argument, as a variable of the shell that is not set leaves; or the current folder is gone.
    """
    for before, word in zip(["", *arguments], arguments):
        name, _, value = word.partition("=")
        if not word or (name.startswith("--") and "=" in word and not value):
            raise UserError(f"empty value after {name or before or PROGRAM}: is a variable not set?")
    try:
        os.getcwd()
    except OSError as error:
        raise UserError(f"the current folder cannot be used ({error.strerror}): change to another") from None


def limit_threads() -> None:
    """Let BLAS use one thread, here and in processes started later, unless the environment says otherwise."""
    for variable in BLAS_THREADS:
        os.environ.setdefault(variable, "1")


def _run_command(name: str, arguments: Sequence[str]) -> int:
    limit_threads()
    package = "mluops_tools" if name in TOOLS else "mluops_conformance"
    command = importlib.import_module(f"{package}.commands.{name.replace('-', '_')}")
    parser = Parser(
        prog=f"{PROGRAM} {name}",
        description=command.__doc__,
        epilog=getattr(command, "EPILOG", None),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.configure(parser)
    has_actions = hasattr(command, "ACTIONS")  # beside which argparse takes no queries behind an option
    parse = parser.parse_args if has_actions else parser.parse_intermixed_args
    options = parse(arguments)
    use_operators(getattr(options, "operators", ()))
    status: int = command.run(options)
    return status


def _epilog() -> str:
    codes = "\n".join(f"  {code}  {meaning}" for code, meaning in exit_codes.MEANINGS.items())
    return f"'{PROGRAM} COMMAND --help' explains a command.\n\nexit codes:\n{codes}"
