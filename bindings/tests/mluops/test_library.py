"""A library's functions as attributes."""

from __future__ import annotations

import threading
from typing import Any, Callable

import pytest
from mluops.errors import MissingSymbol
from mluops.library import Library

Load = Callable[..., Any]


def test_a_function_prints_its_signature_and_release(library: Library) -> None:
    printed = repr(library.mluOpGetTensorElementNum)
    assert printed == "<mluOpGetTensorElementNum(const mluOpTensorDescriptor_t desc) -> size_t, since v0.1>"


def test_a_function_documents_itself(library: Library) -> None:
    assert library.mluOpSetQueue.__doc__ == (
        "mluOpSetQueue(mluOpHandle_t handle, cnrtQueue_t queue) -> mluOpStatus_t, since v0.1."
    )


def test_a_function_is_made_once(library: Library) -> None:
    assert library.mluOpCreate is library.mluOpCreate


def test_threads_get_the_same_function(standin: Any) -> None:
    names = ["mluOpCreate", "mluOpNmsRotated", "cnrtMalloc", "mluOpSetTensorDescriptor_v2"]
    found: list[list[object]] = []
    barrier = threading.Barrier(8)

    def look_up() -> None:
        barrier.wait()
        found.append([getattr(standin.library, name) for name in names])

    threads = [threading.Thread(target=look_up) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(mine is other for functions in found for mine, other in zip(functions, found[0]))


def test_a_misspelt_function_is_answered_with_near_ones(library: Library) -> None:
    with pytest.raises(AttributeError, match=r"no function 'mluOpNmsRotate'; did you mean mluOpNmsRotated"):
        library.mluOpNmsRotate  # noqa: B018


def test_all_functions_are_listed(library: Library) -> None:
    assert {"mluOpNmsRotated", "cnrtMalloc", "version"} <= set(dir(library))


def test_versions_are_those_of_the_libraries(library: Library) -> None:
    assert (library.version, library.cnrt_version) == ((1, 11, 1), (6, 14, 1))


def test_a_missing_function_explains_itself_when_called(load_standin: Load) -> None:
    library = load_standin("0.7.1").library
    with pytest.raises(
        MissingSymbol, match=r"mlu-ops 0\.7\.1\) lacks mluOpMaskedIm2colForward, which came with v0\.8\.0"
    ):
        library.mluOpMaskedIm2colForward()


def test_a_missing_function_of_cnrt_names_cnrts_release(load_standin: Load) -> None:
    library = load_standin(cnrt="6.0.2").library
    with pytest.raises(
        MissingSymbol, match=r"CNRT 6\.0\.2\) lacks cnrtMemcpyAsync_V3, which came with v6\.14\.1"
    ):
        library.cnrtMemcpyAsync_V3.checked(1, 2, 3, None, 0)


def test_a_missing_function_mentions_the_releases_that_left_it_out(load_standin: Load) -> None:
    library = load_standin("0.5.0").library
    with pytest.raises(MissingSymbol, match=r"came with v0\.4\.2 \(but not in v0\.5\.0\)"):
        library.mluOpNmsRotated()


def test_a_missing_function_prints_that_it_is_missing(load_standin: Load) -> None:
    assert repr(load_standin("0.7.1").library.mluOpMaskedIm2colForward).endswith(
        "since v0.8.0, missing in this library>"
    )


def test_a_function_whose_parameters_changed_is_refused_on_an_older_library(load_standin: Load) -> None:
    library = load_standin("1.4.0").library
    with pytest.raises(
        MissingSymbol, match=r"has mluOpGetNmsWorkspaceSize with other parameters; these came with v1\.6\.0"
    ):
        library.mluOpGetNmsWorkspaceSize(None, None, None, None, None)


@pytest.mark.parametrize(
    ("release", "name", "has"),
    [
        ("1.11.1", "mluOpGetNmsWorkspaceSize", True),
        ("1.4.0", "mluOpGetNmsWorkspaceSize", False),
        ("0.11.0", "mluOpRoiAwarePool3dBackward", False),
        ("0.11.0", "mluOpRoiawarePool3dBackward", True),
        ("1.11.1", "mluOpNoSuchFunction", False),
    ],
)
def test_what_a_release_has(load_standin: Load, release: str, name: str, has: bool) -> None:
    assert load_standin(release).library.has(name) is has


def test_the_first_name_that_the_library_has_is_taken(load_standin: Load) -> None:
    names = ("mluOpRoiAwarePool3dBackward", "mluOpRoiawarePool3dBackward")
    assert load_standin("0.11.0").library.first(*names).name == "mluOpRoiawarePool3dBackward"
    assert load_standin("1.11.1").library.first(*names).name == "mluOpRoiAwarePool3dBackward"
