"""Options as frozen dataclasses, and types of numbers on the command line.

A field is a flag. It states its default, help and type once; argparse and pytest read them from the field.
"""

from __future__ import annotations

import argparse
import math
import os
import re
from dataclasses import Field, field, fields
from typing import Any, Callable, Collection, Iterator, TypeVar

__all__ = ["DIGITS", "Flags", "add_flags", "flag", "flag_names", "real", "size", "whole"]

FlagsT = TypeVar("FlagsT", bound="Flags")
DIGITS = re.compile("[0-9]{1,9}")
MOST = 2.0**62
"""Bytes: more is as good as no limit."""
UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


def flag(default: Any, help: str, *, name: str = "", variable: str = "", **settings: Any) -> Any:
    """Declare a field of a `Flags` dataclass.

    Parameters
    ----------
    default
        False makes a switch, a tuple a flag that may be repeated.
    name : str
        The flag without its dashes; the field's name by default.
    variable : str
        Environment variable that replaces the default on a command line.
    **settings
        What else `add_argument` takes.
    """
    settings["help"] = help
    if isinstance(default, tuple):
        settings["action"] = "append"
    elif default is False:
        settings["action"] = "store_true"
    return field(default=default, metadata={"name": name, "variable": variable, "settings": settings})


class Flags:
    """Base of dataclasses whose fields are declared by `flag`."""

    @classmethod
    def read(cls: type[FlagsT], value_of: Callable[[str], Any]) -> FlagsT:
        """Collect the options from anything that gives a value by flag name."""
        return cls(**{entry.name: _frozen(value_of(flag_name(entry))) for entry in _declared(cls)})

    @classmethod
    def of(cls: type[FlagsT], args: Any) -> FlagsT:
        """Collect the options from parsed arguments; those that a command lacks keep their defaults."""
        defaults = cls()
        known = {flag_name(entry): entry.name for entry in _declared(cls)}
        return cls.read(lambda name: getattr(args, name.replace("-", "_"), getattr(defaults, known[name])))

    def arguments(self, prefix: str = "--") -> tuple[str, ...]:
        """Return the options that differ from their defaults, or from the environment's, as words."""
        return tuple(word for entry in _declared(type(self)) for word in _words(entry, self, prefix))


def add_flags(
    kind: type[Flags], add: Callable[..., Any], prefix: str = "--", except_for: Collection[str] = ()
) -> None:
    """Declare every flag with argparse's `add_argument` or pytest's `addoption`."""
    for entry in _declared(kind):
        if flag_name(entry) not in except_for:
            default = _default(entry)
            default = list(default) if isinstance(default, tuple) else default
            add(prefix + flag_name(entry), default=default, **entry.metadata["settings"])


def flag_names(kind: type[Flags]) -> tuple[str, ...]:
    """Return the names of all flags, without dashes in front."""
    return tuple(map(flag_name, _declared(kind)))


def flag_name(entry: Field[Any]) -> str:
    """Return the flag of a field, without dashes in front."""
    return entry.metadata["name"] or entry.name.replace("_", "-")


def _declared(kind: type[Flags]) -> Iterator[Field[Any]]:
    return (entry for entry in fields(kind) if "settings" in entry.metadata)  # type: ignore[arg-type]


def _default(entry: Field[Any]) -> Any:
    return os.environ.get(entry.metadata["variable"]) or entry.default


def _words(entry: Field[Any], options: Flags, prefix: str) -> Iterator[str]:
    value, name = getattr(options, entry.name), prefix + flag_name(entry)
    if value is True:
        yield name
    elif value != entry.default or value != _default(entry):
        for item in value if isinstance(value, tuple) else (value,):
            text = str(item)
            odd = text.startswith(("-", "@"))  # argparse takes it for a flag, pytest for a file
            yield from [f"{name}={text}"] if odd else [name, text]


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def whole(least: int) -> Callable[[str], int]:
    """A reader of whole numbers from `least`, of nine digits at most."""

    def read(text: str) -> int:
        if not DIGITS.fullmatch(text) or int(text) < least:
            raise argparse.ArgumentTypeError(f"{text[:20]!r}: write a whole number from {least}")
        return int(text)

    return read


def real(text: str) -> float:
    """A number that is neither negative nor infinite.

    Raises
    ------
    ArgumentTypeError
        The text is no such number.
    """
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value < math.inf:
        raise argparse.ArgumentTypeError(f"{text[:20]!r}: write a number that is not negative")
    return value


def size(text: str) -> int:
    """A number of bytes, with K, M, G or T for powers of 1024.

    Raises
    ------
    ArgumentTypeError
        The text is no size.
    """
    match = re.fullmatch(r"(\d+(?:\.\d+)?)([KMGT]?)B?", text.upper())
    if match is None:
        raise argparse.ArgumentTypeError(f"{text!r} is no size; write one as 500M or 2G")
    return int(min(float(match[1]) * UNITS[match[2]], MOST))
