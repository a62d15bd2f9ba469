"""`check-abi` on the headers of ten releases: v1.11.1 has no drift, each older one what has changed since.

The headers are no part of this repository: MLUOPS_HEADERS names a folder with mlu_op-v1.11.1.h and others.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from mluops_tools.abi.drift import drifts
from mluops_tools.abi.header import read_header

ADAMW_LATER = ["mluOpAdamWDescAttribute_t: lacks MLUOP_ADAMW_NEED_REMOVE_NAN, in the binding 3"]
DRIFT = {
    "1.11.1": [],
    "1.9.1": [],
    "1.7.0": ADAMW_LATER,
    "1.5.0": ADAMW_LATER,
    "1.4.0": ADAMW_LATER,
    "1.2.0": ADAMW_LATER,
    "1.0.0": [
        "mluOpAdamWDescriptor_t: type of the binding that the header does not declare",
        "mluOpFFTPlan_t: type of the binding that the header does not declare",
        "mluOpAdamWDescAttribute_t: enum of the binding that the header does not declare",
    ],
    **json.loads((Path(__file__).parent / "data" / "drift_of_releases_0.json").read_text()),
}


@pytest.mark.parametrize("release", DRIFT)
def test_a_releases_header_drifts_by_what_has_changed_since(release):
    folder = os.environ.get("MLUOPS_HEADERS", "")
    header = Path(folder) / f"mlu_op-v{release}.h"
    if not folder or not header.is_file():
        pytest.skip("MLUOPS_HEADERS names no folder with this header")
    found = [drift.text for drift in drifts(read_header(header.read_text(encoding="utf-8")))]
    assert sorted(found) == sorted(DRIFT[release])
