"""The search for libraries: the loaded files, the order of places, and the message if none is found."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Callable

import mluops
import pytest
from mluops import loading
from mluops.errors import LoadError

Build = Callable[..., Path]


@pytest.fixture(autouse=True)
def machine_without_libraries(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for variable in ("MLUOPS_LIBRARY", "MLUOPS_CNRT_LIBRARY", "NEUWARE_HOME"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(loading, "DEFAULT_HOME", str(tmp_path / "neuware"))


@pytest.fixture
def install(build_mluops: Build, build_cnrt: Build) -> Callable[..., Path]:
    """Put the stand-ins into a folder."""

    def installed(folder: Path, mluops_name: str = "libmluops.so", cnrt: bool = True) -> Path:
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(build_mluops(), folder / mluops_name)
        if cnrt:
            shutil.copy(build_cnrt(), folder / "libcnrt.so")
        return folder

    return installed


def test_an_argument_names_the_file(install: Any, tmp_path: Path) -> None:
    folder = install(tmp_path / "own")
    library = mluops.load(folder / "libmluops.so", cnrt=folder / "libcnrt.so")
    assert (library.path, library.cnrt_path) == (str(folder / "libmluops.so"), str(folder / "libcnrt.so"))
    assert (library.backend, library.found_via) == ("device", "argument")


def test_an_argument_may_name_the_folder(install: Any, tmp_path: Path) -> None:
    folder = install(tmp_path / "own")
    assert mluops.load(str(folder)).path == str(folder / "libmluops.so")


@pytest.mark.parametrize("name", ["libmluops.so.1", "libmluops.so.0"])
def test_a_file_may_carry_the_major_release_only(install: Any, tmp_path: Path, name: str) -> None:
    folder = install(tmp_path / "own", mluops_name=name)
    assert mluops.load(folder).path == str(folder / name)


def test_the_variables_name_the_files(install: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = install(tmp_path / "own")
    monkeypatch.setenv("MLUOPS_LIBRARY", str(folder / "libmluops.so"))
    monkeypatch.setenv("MLUOPS_CNRT_LIBRARY", str(folder / "libcnrt.so"))
    assert mluops.load().found_via == "MLUOPS_LIBRARY"


def test_the_home_of_neuware_comes_next(
    install: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NEUWARE_HOME", str(tmp_path / "home"))
    folder = install(tmp_path / "home" / "lib64")
    library = mluops.load()
    assert (library.found_via, library.path) == ("NEUWARE_HOME", str(folder / "libmluops.so"))


def test_the_default_folder_comes_next(install: Any, tmp_path: Path) -> None:
    install(tmp_path / "neuware" / "lib64")
    assert mluops.load().found_via == "default folder"


def test_an_argument_counts_before_a_variable_and_a_variable_before_the_home(
    install: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_argument, by_variable = install(tmp_path / "argument"), install(tmp_path / "variable")
    install(tmp_path / "home" / "lib64")
    monkeypatch.setenv("NEUWARE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("MLUOPS_LIBRARY", str(by_variable))
    assert mluops.load().path == str(by_variable / "libmluops.so")
    assert mluops.load(by_argument).path == str(by_argument / "libmluops.so")


def test_cnrt_is_looked_for_beside_mluops_before_the_home(
    install: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NEUWARE_HOME", str(tmp_path / "home"))
    install(tmp_path / "home" / "lib64")
    folder = install(tmp_path / "own")
    assert mluops.load(folder).cnrt_path == str(folder / "libcnrt.so")


def test_cnrt_may_lie_elsewhere_than_a_newly_built_mluops(
    install: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NEUWARE_HOME", str(tmp_path / "home"))
    toolkit = install(tmp_path / "home" / "lib64")
    build = install(tmp_path / "build" / "lib", cnrt=False)
    assert mluops.load(build).cnrt_path == str(toolkit / "libcnrt.so")


def test_the_dynamic_linker_comes_last(install: Any, tmp_path: Path) -> None:
    folder = install(tmp_path / "linked")
    code = "import mluops; library = mluops.load(); print(library.found_via, library.path, library.cnrt_path)"
    environment = {**os.environ, "LD_LIBRARY_PATH": str(folder)}
    output = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    expected = f"dynamic linker {folder / 'libmluops.so'} {folder / 'libcnrt.so'}\n"
    assert output.stdout.endswith(expected), output.stderr


def test_a_bare_name_is_for_the_dynamic_linker(install: Any, tmp_path: Path) -> None:
    folder = install(tmp_path / "linked", mluops_name="libmluops.so.1")
    code = "import mluops; print(mluops.load('libmluops.so.1').path)"
    environment = {**os.environ, "LD_LIBRARY_PATH": str(folder)}
    output = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert output.stdout == f"{folder / 'libmluops.so.1'}\n"


def test_an_error_lists_every_place_tried_and_what_to_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NEUWARE_HOME", str(tmp_path / "home"))
    (tmp_path / "neuware" / "lib64").mkdir(parents=True)
    with pytest.raises(LoadError) as failed:
        mluops.load()
    default = tmp_path / "neuware" / "lib64"
    assert str(failed.value).splitlines() == [
        "libcnrt.so, which libmluops.so needs, was not loaded; it comes with Cambricon's CNToolkit. Tried:",
        "  MLUOPS_CNRT_LIBRARY: not set",
        f"  NEUWARE_HOME: {tmp_path / 'home' / 'lib64'}: no such file or folder",
        f"  default folder: {default / 'libcnrt.so'}: no such file or folder",
        "  dynamic linker: libcnrt.so: cannot open shared object file: No such file or directory",
        "libmluops.so is left to the dynamic linker; it is built from Cambricon's mlu-ops. Tried before:",
        "  MLUOPS_LIBRARY: not set",
        f"  NEUWARE_HOME: {tmp_path / 'home' / 'lib64'}: no such file or folder",
        f"  default folder: {default / 'libmluops.so'}: no such file or folder",
        f"  default folder: {default / 'libmluops.so.1'}: no such file or folder",
        f"  default folder: {default / 'libmluops.so.0'}: no such file or folder",
        "Set MLUOPS_LIBRARY and MLUOPS_CNRT_LIBRARY to the files or their folders, or NEUWARE_HOME to the "
        'home of both; mluops.load("emulator") needs neither.',
    ]


def test_without_cnrt_it_is_said_which_mluops_waits_for_it(install: Any, tmp_path: Path) -> None:
    folder = install(tmp_path / "own", cnrt=False)
    with pytest.raises(LoadError, match=rf"to be loaded then: {folder / 'libmluops.so'} \(argument\)"):
        mluops.load(folder)


def test_a_file_that_was_asked_for_and_is_not_there_ends_the_search(install: Any, tmp_path: Path) -> None:
    install(tmp_path / "neuware" / "lib64")
    with pytest.raises(LoadError, match=r"argument: /no/such/libmluops\.so: no such file"):
        mluops.load("/no/such/libmluops.so")


def test_a_file_that_does_not_load_ends_the_search(install: Any, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("NEUWARE_HOME", str(tmp_path / "home"))
    broken = install(tmp_path / "home" / "lib64") / "libmluops.so"
    broken.write_bytes(b"not a library")
    install(tmp_path / "neuware" / "lib64")
    with pytest.raises(LoadError, match=rf"NEUWARE_HOME: {broken}: (file too short|invalid ELF header)"):
        mluops.load()


def test_a_library_that_the_file_needs_is_named_with_the_remedy(
    build: Build, install: Any, tmp_path: Path
) -> None:
    needed = tmp_path / "libcnnl.so"
    shutil.copy(build("echo", "-Wl,-soname,libcnnl.so"), needed)
    version = {"VERSION_MAJOR": 1, "VERSION_MINOR": 11, "VERSION_PATCH": 1}
    needing = build("mluops", "-Wl,--no-as-needed", str(needed), **version)
    needed.unlink()
    folder = install(tmp_path / "own")
    with pytest.raises(
        LoadError, match=rf"{needing} needs libcnnl\.so: .*; add the folder to LD_LIBRARY_PATH"
    ):
        mluops.load(needing, cnrt=folder)


def test_an_address_sanitizer_that_is_not_loaded_is_said_before_it_ends_the_process(
    install: Any, tmp_path: Path
) -> None:
    folder = install(tmp_path / "own")
    (folder / "mluops-cpu.json").write_text('{"sanitize": ["address"]}')
    with pytest.raises(LoadError, match=r"built with the address sanitizer.* LD_PRELOAD=\$\(g\+\+ -print"):
        mluops.load(folder)
    (folder / "mluops-cpu.json").write_text('{"sanitize": ["undefined"]}')
    assert mluops.load(folder).backend == "device"


def test_a_file_of_something_else_is_refused(build: Build, build_cnrt: Build) -> None:
    with pytest.raises(LoadError, match=r"libcnrt\.so has no mluOpCreate: it is not a library of mlu-ops"):
        mluops.load(build_cnrt(), cnrt=build_cnrt())


def test_a_cnrt_before_5_0_0_is_refused(build_mluops: Build, build_cnrt: Build) -> None:
    with pytest.raises(LoadError, match=r"has no cnrtQueueCreate: it is not a CNRT, or one before 5\.0\.0"):
        mluops.load(build_mluops(), cnrt=build_cnrt("4.10.4", ANCIENT=1))


def test_a_release_before_v0_5_0_is_refused_because_its_data_types_differ(
    build_mluops: Build, build_cnrt: Build
) -> None:
    with pytest.raises(LoadError, match=r"is mlu-ops 0\.4\.2, which numbers data types unlike"):
        mluops.load(build_mluops("0.4.2"), cnrt=build_cnrt())


def test_loading_the_same_files_again_gives_an_equal_library(install: Any, tmp_path: Path) -> None:
    folder = install(tmp_path / "own")
    first, second = mluops.load(folder), mluops.load(folder)
    assert first.symbols.address("mluOpCreate") == second.symbols.address("mluOpCreate")


def test_many_threads_may_load_at_once(install: Any, tmp_path: Path) -> None:
    folder = install(tmp_path / "own")
    with ThreadPoolExecutor(8) as pool:
        libraries = list(pool.map(lambda _: mluops.load(folder), range(16)))
    assert len({library.symbols.address("mluOpCreate") for library in libraries}) == 1


def test_options_of_the_emulator_are_refused_for_a_device() -> None:
    with pytest.raises(TypeError, match="only the emulator takes seed"):
        mluops.load("/no/such/libmluops.so", seed=3)


def test_the_emulator_has_no_cnrt_of_its_own_to_choose() -> None:
    with pytest.raises(TypeError, match="the emulator brings its own CNRT"):
        mluops.load("emulator", cnrt="/no/such/libcnrt.so")


def test_a_release_says_where_it_came_from(install: Any, tmp_path: Path) -> None:
    folder = install(tmp_path / "own")
    assert (
        repr(mluops.load(folder))
        == f"<mluops.Library {folder / 'libmluops.so'} (device, found via argument)>"
    )


def test_importing_loads_neither_a_library_nor_numpy() -> None:
    code = """
        import sys, mluops
        maps = open("/proc/self/maps").read()
        assert "libmluops" not in maps and "libcnrt" not in maps
        assert "numpy" not in sys.modules and "mluops_emulator" not in sys.modules
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(code)], check=True)
