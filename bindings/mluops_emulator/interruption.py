"""Exceptions that must not be lost in a C call: Ctrl-C, a time limit's signal."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any


def raise_in(frame: FrameType, error: BaseException) -> None:
    """Raise `error` in a Python frame as soon as that frame goes on.

    An exception cannot pass through the C call that separates an entry point from its caller: ctypes prints
    and drops it. The way around is a trace function on the caller's frame, which removes itself as it raises.
    """
    previous = sys.gettrace()

    def deliver(frame: FrameType, event: str, argument: Any) -> Any:
        sys.settrace(previous)
        frame.f_trace, frame.f_trace_opcodes = None, False
        raise error

    frame.f_trace, frame.f_trace_opcodes = deliver, True
    sys.settrace(lambda frame, event, argument: None)
