"""The limits of the driver's context, as handles and kernels of the emulator see them."""

from __future__ import annotations

import mluops
import pytest
from mluops.constants import KernelClass


@pytest.fixture
def library():
    return mluops.load("emulator")


@pytest.mark.parametrize(
    ("clusters", "visible", "job"),
    [
        (0, 1, KernelClass.CN_KERNEL_CLASS_BLOCK),
        (1, 1, KernelClass.CN_KERNEL_CLASS_UNION),
        (2, 2, KernelClass.CN_KERNEL_CLASS_UNION2),
        (6, 6, KernelClass.CN_KERNEL_CLASS_UNION4),
        (8, 8, KernelClass.CN_KERNEL_CLASS_UNION8),
    ],
)
def test_a_limit_shows_clusters_and_allows_the_widest_job_that_fits(library, clusters, visible, job):
    mluops.Context(library).limit(clusters)
    limits = library.symbols.context
    assert (limits.device.clusters, limits.union_limit) == (visible, job)


def test_limits_may_follow_each_other_in_any_order(library):
    context = mluops.Context(library)
    for clusters in (8, 0, 4, 1, 8, 2):
        context.limit(clusters)
    assert library.symbols.context.device.clusters == 2


def test_reset_restores_what_the_context_had(library):
    before = library.symbols.context.device.clusters
    context = mluops.Context(library)
    context.limit(1)
    context.reset()
    assert library.symbols.context.device.clusters == before


def test_a_driver_s_status_is_put_into_no_other_library_s_words(library):
    with pytest.raises(mluops.errors.CndrvError, match=r"cnCtxGetCurrent returned [^:]*\.$"):
        library.cnCtxGetCurrent.checked(None)


def test_more_clusters_than_there_are_is_an_error_that_names_the_function(library):
    with pytest.raises(mluops.errors.CndrvError, match="cnSetCtxConfigParam returned"):
        mluops.Context(library).limit(9)


def test_clusters_are_not_negative(library):
    with pytest.raises(ValueError, match="clusters must be 0 or more, not -1"):
        mluops.Context(library).limit(-1)
