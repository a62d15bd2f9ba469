"""Finding and loading libmluops.so and libcnrt.so.

Nothing is loaded before `load` is called, and nothing is ever unloaded. CNRT is loaded first, and its
symbols made global, so that libmluops binds to the very same one.
"""

from __future__ import annotations

import ctypes
import inspect
import json
import os
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from typing import TYPE_CHECKING, Any, Callable, Iterable, NamedTuple, overload

from mluops.errors import ArgumentTypeError, ArgumentValueError, LoadError
from mluops.library import Library

if TYPE_CHECKING:
    from typing import Literal, Union

    Path = Union[str, os.PathLike[str]]

DEFAULT_HOME = "/usr/local/neuware"
OLDEST_RELEASE = (0, 5, 0)
CPU_BUILD = "mluops-cpu.json"
"""The description that `build-cpu` writes beside a library."""


class Wanted(NamedTuple):
    """A shared library to be found."""

    title: str
    origin: str
    file_names: tuple[str, ...]
    variable: str
    symbol: str  # one that it must export
    otherwise: str  # what the file is if it does not
    mode: int


MLUOPS = Wanted(
    title="libmluops.so",
    origin="it is built from Cambricon's mlu-ops",
    file_names=("libmluops.so", "libmluops.so.1", "libmluops.so.0"),
    variable="MLUOPS_LIBRARY",
    symbol="mluOpCreate",
    otherwise="not a library of mlu-ops",
    mode=ctypes.RTLD_LOCAL,
)
CNRT = Wanted(
    title="libcnrt.so, which libmluops.so needs,",
    origin="it comes with Cambricon's CNToolkit",
    file_names=("libcnrt.so",),
    variable="MLUOPS_CNRT_LIBRARY",
    symbol="cnrtQueueCreate",
    otherwise="not a CNRT, or one before 5.0.0, whose functions have other names; use a later one",
    mode=ctypes.RTLD_GLOBAL,
)


class Found(NamedTuple):
    """The place of a library: the step that found it, and the names to try with the dynamic linker."""

    via: str
    names: tuple[str, ...]


@dataclass
class Search:
    """The search for one library.

    Parameters
    ----------
    wanted : Wanted
    argument : str or None
        Where the user says that it is.
    earlier : Search, optional
        For the library that needs this one, which may lie beside it.
    tried : list of str
        A note on every place tried.
    """

    wanted: Wanted
    argument: str | None
    earlier: Search | None = None
    tried: list[str] = field(default_factory=list)

    def note(self, via: str, outcome: str) -> None:
        self.tried.append(f"{via}: {outcome}")

    @cached_property
    def found(self) -> Found:
        """The first place of `STEPS` that has the library; else it is left to the linker."""
        candidates = (step(self) for step in STEPS)
        return next(filter(None, candidates), Found("dynamic linker", self.wanted.file_names))

    @property
    def folder(self) -> str:
        """The folder in which the library was found; empty if the linker decides."""
        return os.path.dirname(self.found.names[0])

    def demand(self, via: str, place: str) -> Found:
        """Look at the place that a user asked for; there is no other then."""
        if not os.path.dirname(place) and not os.path.exists(place):
            return Found(via, (place,))  # a bare name is for the dynamic linker
        found = self.look_at(via, place)
        if found is None:
            raise self.failure()
        return found

    def look_at(self, via: str, place: str) -> Found | None:
        """Look for the library at `place`, a file or a folder."""
        paths = (
            [os.path.join(place, name) for name in self.wanted.file_names]
            if os.path.isdir(place)
            else [place]
        )
        for path in paths:
            if os.path.isfile(path):
                return Found(via, (os.path.abspath(path),))
            missing = "no regular file" if os.path.exists(path) else "no such file or folder"
            self.note(via, f"{path}: {missing}")
        return None

    def open(self) -> SharedLibrary:
        """Load what was found; a file that is there and does not load ends the search."""
        found = self.found
        if _lacks_sanitizer(found.names[0]):
            raise LoadError(
                f"{self.folder} was built with the address sanitizer, which must be loaded before Python; "
                "start it with ASAN_OPTIONS=detect_leaks=0 LD_PRELOAD=$(g++ -print-file-name=libasan.so)"
            )
        for name in found.names:
            try:
                library = ctypes.CDLL(name, mode=self.wanted.mode)
            except (OSError, UnicodeDecodeError) as error:  # CPython reads dlerror() as UTF-8
                self.note(found.via, _with_remedy(name, str(error)))
            else:
                return SharedLibrary(library, found.via, self.wanted)
        raise self.failure()

    def failure(self) -> LoadError:
        lines = [f"{self.wanted.title} was not loaded; {self.wanted.origin}. Tried:", *_indented(self.tried)]
        if self.earlier:
            lines += self.earlier.state()
        remedy = (
            f"Set {MLUOPS.variable} and {CNRT.variable} to the files or their folders, or NEUWARE_HOME to "
            'the home of both; mluops.load("emulator") needs neither.'
        )
        return LoadError("\n".join([*lines, remedy]))

    def state(self) -> list[str]:
        """Return lines that describe the search before the library is loaded."""
        if self.folder:
            return [f"{self.wanted.title} is to be loaded then: {self.found.names[0]} ({self.found.via})."]
        linked = f"{self.wanted.title} is left to the dynamic linker; {self.wanted.origin}."
        return [f"{linked} Tried before:", *_indented(self.tried)] if self.tried else [linked]


def from_argument(search: Search) -> Found | None:
    return None if search.argument is None else search.demand("argument", search.argument)


def from_variable(search: Search) -> Found | None:
    variable = search.wanted.variable
    place = os.environ.get(variable)
    if place:
        return search.demand(variable, place)
    search.note(variable, "not set")
    return None


def from_neighbour(search: Search) -> Found | None:
    """CNRT is looked for beside a libmluops that was found as a file."""
    folder = search.earlier.folder if search.earlier else ""
    return search.look_at(f"beside {MLUOPS.file_names[0]}", folder) if folder else None


def from_neuware_home(search: Search) -> Found | None:
    home = os.environ.get("NEUWARE_HOME")
    if home:
        return search.look_at("NEUWARE_HOME", os.path.join(home, "lib64"))
    search.note("NEUWARE_HOME", "not set")
    return None


def from_default_home(search: Search) -> Found | None:
    return search.look_at("default folder", os.path.join(DEFAULT_HOME, "lib64"))


STEPS: tuple[Callable[[Search], Found | None], ...] = (
    from_argument,
    from_variable,
    from_neighbour,
    from_neuware_home,
    from_default_home,
)


class SharedLibrary:
    """A library in this process, its symbols by name."""

    def __init__(self, library: ctypes.CDLL, via: str, wanted: Wanted) -> None:
        self.via = via
        self._library = library
        known = self.address(wanted.symbol)
        if known is None:
            raise LoadError(f"{library._name} has no {wanted.symbol}: it is {wanted.otherwise}.")
        self.path = library._name if os.path.isabs(library._name) else _mapped_file(known)

    def address(self, name: str) -> int | None:
        try:
            return ctypes.cast(self._library[name], ctypes.c_void_p).value
        except AttributeError:
            return None


class DeviceSymbols:
    """The symbols of libmluops and libcnrt, each of its own library."""

    def __init__(self, mluops: SharedLibrary, cnrt: SharedLibrary) -> None:
        self.source = _source(mluops)
        self.kind = "device" if self.source is None else "cpu"
        self.path = mluops.path
        self.cnrt_path = cnrt.path
        self._mluops = mluops
        self._cnrt = cnrt

    def address(self, name: str) -> int | None:
        return (self._cnrt if name.startswith("cnrt") else self._mluops).address(name)


@overload
def load(
    library: Literal["emulator"],
    *,
    device: str = ...,
    seed: int = ...,
    memory_bytes: int | None = ...,
    version: tuple[int, int, int] = ...,
    cnrt_version: tuple[int, int, int] = ...,
    faults: Iterable[str] = ...,
    keeps_context: bool = ...,
) -> Library: ...
@overload
def load(library: Path | None = None, *, cnrt: Path | None = None) -> Library: ...


def load(library: Path | None = None, *, cnrt: Path | None = None, **emulator_options: Any) -> Library:
    """Load mlu-ops and CNRT, or the emulator of both.

    Parameters
    ----------
    library : path, optional
        The libmluops.so to load, or its folder; "emulator" for the emulator. By default $MLUOPS_LIBRARY,
        $NEUWARE_HOME/lib64, /usr/local/neuware/lib64 and the dynamic linker are tried, in this order.
    cnrt : path, optional
        The same for libcnrt.so and $MLUOPS_CNRT_LIBRARY; the folder of libmluops.so comes before
        $NEUWARE_HOME.
    **emulator_options
        Passed to `mluops_emulator.Emulator`: `device`, `seed`, ….

    Returns
    -------
    Library
        Its `found_via` says which place it was. Loading the same files again is cheap.

    Raises
    ------
    LoadError
        When a library is not found, does not load, or is too old. The message lists every place tried.
    ArgumentTypeError, ArgumentValueError
        For an option that the emulator has not, and a value that it does not take.
    """
    if library == "emulator":
        if cnrt is not None:
            raise ArgumentTypeError("the emulator brings its own CNRT: cnrt= is for a device's library")
        return _emulator(emulator_options)
    if isinstance(library, str) and not os.path.exists(library) and get_close_matches(library, ["emulator"]):
        raise LoadError(f'unknown library {library!r}: did you mean mluops.load("emulator")?')
    if emulator_options:
        raise ArgumentTypeError(
            f"only the emulator takes {', '.join(emulator_options)}: mluops.load('emulator', ...)"
        )
    return _device(library, cnrt)


def _emulator(options: dict[str, Any]) -> Library:
    from mluops_emulator import Emulator

    known = inspect.signature(Emulator).parameters
    for option in options:
        if option not in known:
            near = get_close_matches(option, known, n=1) or known
            raise ArgumentTypeError(f"the emulator has no option {option!r}: it has {', '.join(near)}")
    try:
        return Library(Emulator(**options), found_via="argument")
    except ValueError as error:
        raise ArgumentValueError(str(error)) from None


def _device(library: Path | None, cnrt: Path | None) -> Library:
    for name, path in (("library", library), ("cnrt", cnrt)):
        if path is not None and not isinstance(path, (str, os.PathLike)):
            raise ArgumentTypeError(f"{name} must be a path, not a {type(path).__name__}")
    mluops_search = Search(MLUOPS, None if library is None else os.fspath(library))
    cnrt_search = Search(CNRT, None if cnrt is None else os.fspath(cnrt), earlier=mluops_search)
    cnrt_library = cnrt_search.open()
    mluops_library = mluops_search.open()
    loaded = Library(DeviceSymbols(mluops_library, cnrt_library), found_via=mluops_library.via)
    if loaded.has("mluOpGetLibVersion") and loaded.version < OLDEST_RELEASE:
        version = ".".join(map(str, loaded.version))
        raise LoadError(
            f"{loaded.path} is mlu-ops {version}, which numbers data types unlike v0.5.0 and later; "
            "use one of these."
        )
    return loaded


def _source(mluops: SharedLibrary) -> str | None:
    """Return what a library for the CPU was compiled from; None for a device's."""
    address = mluops.address("mluops_cpu_source")
    if address is None:
        return None
    return (ctypes.CFUNCTYPE(ctypes.c_char_p)(address)() or b"").decode("utf-8", "replace")


def _indented(lines: Iterable[str]) -> list[str]:
    return [f"  {line}" for line in lines]


def _with_remedy(name: str, message: str) -> str:
    """Add what to do where it is not the library that is missing but one that it needs."""
    if message.startswith(name) or "cannot open shared object file" not in message:
        return message
    return f"{name} needs {message}; add the folder to LD_LIBRARY_PATH before Python starts"


def _lacks_sanitizer(path: str) -> bool:
    """Return whether loading a library of `build-cpu` would make the address sanitizer end this process."""
    try:
        with open(os.path.join(os.path.dirname(path), CPU_BUILD), encoding="utf-8") as file:
            sanitizers = json.load(file)["sanitize"]
    except (OSError, ValueError, LookupError, TypeError):
        return False
    return "address" in sanitizers and not hasattr(ctypes.CDLL(None), "__asan_init")


def _mapped_file(address: int) -> str:
    """Return the file that the dynamic linker mapped at `address`."""
    with open("/proc/self/maps") as maps:
        for line in maps:
            start, _, end = line.split(maxsplit=1)[0].partition("-")
            if int(start, 16) <= address < int(end, 16):
                return line.split(maxsplit=5)[5].strip()
    raise AssertionError(f"no file is mapped at {address:#x}")
