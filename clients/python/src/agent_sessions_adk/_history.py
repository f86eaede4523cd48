# SPDX-License-Identifier: Apache-2.0
"""Explained state: which event set which key of a session's state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class StateSource:
    """The event that set the value of a key."""

    seq: int
    event_id: str
    author: str
    timestamp: float


@dataclass(frozen=True)
class ExplainedValue:
    """A key of the state.

    Attributes:
        scope: the scope of the key: session, user or app.
        value: its value.
        event: the event of this session that set it; None if the key was set when the session was created, or outside
            this session.
    """

    scope: str
    value: Any
    event: StateSource | None


@dataclass(frozen=True)
class ExplainedState:
    """The state of a session at one moment.

    Attributes:
        seq: the seq of the event right before that moment, 0 for the start of the session.
        shared_state_current: whether `user:` and `app:` keys have their current values, regardless of which session set
            them; if false, they have the values that this session had set up to that moment.
        keys: the keys; shared keys include their prefix.
    """

    seq: int
    shared_state_current: bool
    keys: dict[str, ExplainedValue]

    @property
    def state(self) -> dict[str, Any]:
        """Only the values, as an agent reads them."""
        return {key: explained.value for key, explained in self.keys.items()}

    @staticmethod
    def of(answer: dict[str, Any]) -> ExplainedState:
        """Reads a response of the service."""
        return ExplainedState(
            seq=answer["seq"],
            shared_state_current=answer["sharedStateCurrent"],
            keys={key: _explained(value) for key, value in answer["state"].items()},
        )


def _explained(value: dict[str, Any]) -> ExplainedValue:
    event = value["event"]
    source = event and StateSource(event["seq"], event["eventId"], event["author"], event["timestamp"])
    return ExplainedValue(value["scope"], value["value"], source)
