"""A case that tests of the search change."""

from __future__ import annotations

import pytest
from mluops_conformance.language.model import Case, Origin


@pytest.fixture
def boxes() -> Case:
    """A legal call of nms_rotated."""
    return Case(
        id="nms_rotated/boxes",
        operator="nms_rotated",
        origin=Origin("test", 1),
        dims={"N": 7, "box_dim": 5},
        params={"iou_threshold": 0.3},
        dtype="float32",
    )
