"""Bring the binding to the release of an mlu_op.h.

`python -m mluops_tools.abi.generate HEADER` writes the table of functions, `signatures/mluop.py`, and the
types of a library's functions, `c_functions.pyi`; without a header only the latter, from the table as it is.
What is left for a person to declare, as new enumerations and handles, is listed.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import mluops
from mluops.signatures import CNDRV, CNRT, MLUOP

from mluops_tools.abi.drift import drifts
from mluops_tools.abi.function_stub import function_stub
from mluops_tools.abi.header import Header, read_header
from mluops_tools.abi.table import Table, advanced, printed_release, text_of

BINDING = Path(mluops.__file__).parent
TABLE = BINDING / "signatures" / "mluop.py"
STUB = BINDING / "c_functions.pyi"


def stub_text(table: Table = MLUOP) -> str:
    """Return the text of `c_functions.pyi` for a table of mlu_op.h's functions."""
    return function_stub([*table.values(), *CNRT.values(), *CNDRV.values()])


def table_text(header: Header) -> str:
    """Return the text of `signatures/mluop.py` after a header's release."""
    return text_of(advanced(MLUOP, header), printed_release(header))


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m mluops_tools.abi.generate",
        description="Bring the binding to the release of a header.",
    )
    parser.add_argument("header", type=Path, nargs="?", metavar="HEADER", help="an mlu_op.h")
    path = parser.parse_args(arguments).header
    if path is None:
        STUB.write_text(stub_text(), encoding="utf-8")
        return 0
    try:
        header = read_header(path.read_text(encoding="utf-8", errors="replace"))
        table, text = advanced(MLUOP, header), table_text(header)
        unknown = [drift.at(path) for drift in drifts(header) if drift.text.split(":")[0] not in table]
        stub = stub_text(table)
    except (OSError, LookupError) as error:
        print(f"{path}: {error}", file=sys.stderr)
        return 1
    TABLE.write_text(text, encoding="utf-8")
    STUB.write_text(stub, encoding="utf-8")
    print(
        "\n".join([*unknown, f"{TABLE.name} and {STUB.name} are those of mlu-ops {printed_release(header)}"])
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
