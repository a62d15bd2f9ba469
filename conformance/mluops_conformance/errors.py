"""Mistakes of the user, as exceptions that end the command with a message and a code."""

from __future__ import annotations

from mluops_conformance import exit_codes


class UserError(Exception):
    """Something outside this program is wrong; the message says what and how to mend it."""

    exit_code = exit_codes.USAGE
    prefixed = True
    """True if the command's name precedes the message; False if each line begins with a place."""


class OutputError(UserError):
    """The results of a command cannot be stored, for example because the disk is full."""

    exit_code = exit_codes.INTERNAL_ERROR


class OperatorError(UserError):
    """The definition of an operator outside of this package is wrong."""

    prefixed = False


class NoDeviceError(UserError):
    """A device was demanded, and the library does not load or counts none."""

    exit_code = exit_codes.NO_DEVICE


class CaseDataError(UserError):
    """The values of a case's data are none that its operator is defined for: the case needs others."""

    prefixed = False
