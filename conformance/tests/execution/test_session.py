"""The traces that one case leaves in the process that the next one shares."""

from __future__ import annotations

import pytest
from mluops.errors import CndrvError


def test_limits_that_were_set_by_half_are_not_left_to_the_next_case(session, case_of):
    context = session.library.symbols.context
    before = context.union_limit
    with pytest.raises(CndrvError):
        session.prepare(case_of("nms_rotated", "dims: {N: 2}\nclusters: 63"))
    session.prepare(case_of("nms_rotated", "dims: {N: 2}"))
    assert context.union_limit == before
