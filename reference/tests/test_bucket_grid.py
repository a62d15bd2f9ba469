"""Finding upright boxes that may overlap."""

from __future__ import annotations

import numpy as np
import pytest
from mluops_reference.bucket_grid import BucketGrid


def uniform(rng, n):
    return rng.uniform(0, 100, (2, n)), rng.uniform(0.5, 10, (2, n))


def sizes_over_eight_decades(rng, n):
    return rng.uniform(0, 1000, (2, n)), 10 ** rng.uniform(-6, 2, (2, n))


def a_cluster_and_an_outlier(rng, n):
    centres, reaches = uniform(rng, n)
    centres[:, 0] = 1e9
    return centres, reaches


def one_giant(rng, n):
    centres, reaches = rng.uniform(-1e4, 1e4, (2, n)), rng.uniform(0.01, 0.1, (2, n))
    reaches[:, 0] = 3e4
    return centres, reaches


def one_place(rng, n):
    return np.full((2, n), 7.0), np.full((2, n), 2.0)


def found_pairs(centres, reaches, queries):
    boxes = np.concatenate([centres, reaches])
    pieces = list(BucketGrid(boxes, np.arange(boxes.shape[1])).near(boxes[:, queries]))
    return np.concatenate([np.column_stack(piece) for piece in pieces])


@pytest.mark.parametrize("limit", [1 << 19, 40])
@pytest.mark.parametrize(
    "scene", [uniform, sizes_over_eight_decades, a_cluster_and_an_outlier, one_giant, one_place]
)
def test_every_overlapping_box_is_found_once_in_the_order_of_the_queries(scene, limit, monkeypatch):
    monkeypatch.setattr("mluops_reference.bucket_grid._PAIRS_AT_ONCE", limit)
    centres, reaches = scene(np.random.default_rng(1), 150)
    queries = np.arange(0, 150, 2)
    found = found_pairs(centres, reaches, queries)
    assert (np.diff(found[:, 0]) >= 0).all()
    unique, times = np.unique(found, axis=0, return_counts=True)
    assert times.max() == 1
    distance = np.abs(centres[:, queries, None] - centres[:, None])
    overlapping = (distance < reaches[:, queries, None] + reaches[:, None]).all(axis=0)
    assert set(map(tuple, np.argwhere(overlapping))) <= set(map(tuple, unique))


@pytest.mark.parametrize("n", [1000, 4000, 16000])
def test_the_number_of_candidates_grows_with_the_number_of_boxes(n):
    rng = np.random.default_rng(2)
    centres = rng.uniform(0, 40 * n**0.5, (2, n))
    found = found_pairs(centres, rng.uniform(0.5, 20, (2, n)), np.arange(n))
    assert len(found) < 12 * n
