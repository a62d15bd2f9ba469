"""What a known issue makes of a record."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mluops_conformance.language.known_issues import KnownIssue
    from mluops_conformance.results.record import Record


def apply_known_issue(record: Record, issue: KnownIssue | None, today: date) -> Record:
    """The record of a case in the light of the known issue that it stands under.

    What the issue explains is `xfailed`, and a pass is `xpassed` where the case always fails. Anything else
    that goes wrong stays what it is, and so does everything once the issue has expired.
    """
    if issue is None:
        return record
    if today > issue.expires:
        return record if record.is_good else replace(record, reason=f"{record.reason}; expired: {issue}")
    if record.outcome == "passed":
        marked = replace(record, issue=str(issue))
        return marked if issue.fails == "sometimes" else _unexpected(marked)
    failures = record.failures if record.outcome == "failed" else (record.outcome,)
    if not issue.explains.issuperset(failures):
        return record
    return replace(record, outcome="xfailed", reason=f"{issue}: {record.reason}", issue=str(issue))


def _unexpected(record: Record) -> Record:
    return replace(record, outcome="xpassed", reason=f"it passed, though it stands under: {record.issue}")
