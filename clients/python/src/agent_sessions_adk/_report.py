# SPDX-License-Identifier: Apache-2.0
"""The report of a copy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

#: For a source that lists users only by their sessions.
UNLISTED = "users without sessions cannot be listed in this source: the state that only they share is not copied"

_TOLD = 1000


@dataclass
class Report:
    """Counts what was copied, and lists what was left out and why.

    Attributes:
        total: the number of sessions in the source, as far as it is known.
        copied: the number of sessions that were copied, with `events` events.
        there: the number of sessions that had been copied before.
        shared: the number of users and apps without sessions whose state was copied, or was in the target before.
        left_out: the number of sessions that were not copied, or differ.
        reasons: why, for the first thousand, as (session, reason).
        notes: other differences in the target, with their counts.
    """

    dry_run: bool = False
    changed: Callable[[Report], None] | None = None
    total: int = 0
    copied: int = 0
    events: int = 0
    there: int = 0
    shared: int = 0
    left_out: int = 0
    reasons: list[tuple[str, str]] = field(default_factory=list)
    notes: dict[str, int] = field(default_factory=dict)

    def add(self, *, copied: int = 0, events: int = 0, there: int = 0) -> None:
        """Adds to the counts and reports progress."""
        self.copied += copied
        self.events += events
        self.there += there
        if self.changed:
            self.changed(self)

    def leave_out(self, what: str, reason: str, count: int = 1) -> None:
        """Records what was left out and why."""
        self.left_out += count
        if len(self.reasons) < _TOLD:
            self.reasons.append((what, reason))

    def note(self, what: str) -> None:
        """Counts a difference between source and target."""
        self.notes[what] = self.notes.get(what, 0) + 1

    def line(self) -> str:
        """Returns the progress as one line."""
        done = self.copied + self.there + self.left_out
        bar = "#" * (20 * done // self.total if self.total else 0)
        return f"[{bar:<20}] {done}/{self.total} sessions, {self.events} events"

    def text(self) -> str:
        """Returns the whole report as text."""
        verb = "would be copied" if self.dry_run else "copied"
        lines = [
            f"{self.copied} sessions with {self.events} events {verb}, {self.there} were there, "
            f"{self.left_out} left out"
        ]
        if self.shared:
            lines.append(f"the state of {self.shared} users and apps without sessions {verb}, or was there")
        lines += [f"left out: {what}: {reason}" for what, reason in self.reasons]
        if self.left_out > len(self.reasons):
            lines.append(f"and {self.left_out - len(self.reasons)} more")
        lines += [f"note: {what} ({count})" for what, count in self.notes.items()]
        return "\n".join(lines)
