"""Runs that several folders of tests share."""

from __future__ import annotations

import pytest

CASES = """\
operator: masked_im2col_forward
cases:
  - id: tiny
    tags: [tiny]
    dims: {channels: 2, height: 5, width: 4, kernel_h: 3, kernel_w: 2, mask_cnt: 7}
    matrix: {dtype: [float32, float16]}
  - id: refused
    dims: {channels: 2, height: 5, width: 4, kernel_h: 3, kernel_w: 2, mask_cnt: 7}
    params: {kernel_h: 0}
    expect: {status: BAD_PARAM}
"""


@pytest.fixture(scope="session")
def case_text() -> str:
    """A case file: a right case in two dtypes, and a refusal."""
    return CASES
