# SPDX-License-Identifier: Apache-2.0
"""What became of a copy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

#: Of a source that tells of users only by their sessions.
UNLISTED = "users without sessions cannot be listed in this source: the state that only they share is not copied"

_TOLD = 1000


@dataclass
class Report:
    """Counts, and what was left out and why.

    Attributes:
        total: how many sessions there are in the source, as far as it is known.
        copied: how many were copied, with `events` events.
        there: how many had been copied before.
        shared: of how many users and apps without sessions the state was copied, or is there.
        left_out: how many were not copied, or differ.
        reasons: why, for the first thousand, as (session, reason).
        notes: what else differs in the target.
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
        """Counts what was done."""
        self.copied += copied
        self.events += events
        self.there += there
        if self.changed:
            self.changed(self)

    def leave_out(self, what: str, reason: str, count: int = 1) -> None:
        """Remembers what was left out and why."""
        self.left_out += count
        if len(self.reasons) < _TOLD:
            self.reasons.append((what, reason))

    def note(self, what: str) -> None:
        """Remembers that something is not quite the same."""
        self.notes[what] = self.notes.get(what, 0) + 1

    def line(self) -> str:
        """All of it on one line."""
        done = self.copied + self.there + self.left_out
        bar = "#" * (20 * done // self.total if self.total else 0)
        return f"[{bar:<20}] {done}/{self.total} sessions, {self.events} events"

    def text(self) -> str:
        """All of it for people."""
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
