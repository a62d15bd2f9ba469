"""Exit codes of the command: pytest's, and one of our own."""

from __future__ import annotations

PASSED = 0
FAILED = 1
INTERRUPTED = 2
INTERNAL_ERROR = 3
USAGE = 4
NOTHING_EXECUTED = 5
NO_DEVICE = 6

MEANINGS = {
    PASSED: "every executed case passed",
    FAILED: "a case failed, was mistrusted, crashed or timed out",
    INTERRUPTED: "the run was interrupted",
    INTERNAL_ERROR: "internal error, or a machine problem such as a full disk",
    USAGE: "a wrong command line or case file; nothing was run",
    NOTHING_EXECUTED: "nothing was executed",
    NO_DEVICE: "a device was asked for and there is none",
}
