# SPDX-License-Identifier: Apache-2.0
"""Which event has set which key of a session's state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class StateSource:
    """The event that gave a key its value."""

    seq: int
    event_id: str
    author: str
    timestamp: float


@dataclass(frozen=True)
class ExplainedValue:
    """A key of the state.

    Attributes:
        scope: whose it is: session, user or app.
        value: its value.
        event: the event of this session that set it; None if it was there when the session was created, or somebody
            else has set it.
    """

    scope: str
    value: Any
    event: StateSource | None


@dataclass(frozen=True)
class ExplainedState:
    """The state of a session at one moment.

    Attributes:
        seq: right after this event, 0 for the beginning.
        shared_state_current: whether `user:` and `app:` keys have their values of today, whoever set them; if not, they
            are those that this session had set by then.
        keys: the keys, shared ones under their prefix.
    """

    seq: int
    shared_state_current: bool
    keys: dict[str, ExplainedValue]

    @property
    def state(self) -> dict[str, Any]:
        """The values alone, as an agent reads them."""
        return {key: explained.value for key, explained in self.keys.items()}

    @staticmethod
    def of(answer: dict[str, Any]) -> ExplainedState:
        """Reads what the service says."""
        return ExplainedState(
            seq=answer["seq"],
            shared_state_current=answer["sharedStateCurrent"],
            keys={key: _explained(value) for key, value in answer["state"].items()},
        )


def _explained(value: dict[str, Any]) -> ExplainedValue:
    event = value["event"]
    source = event and StateSource(event["seq"], event["eventId"], event["author"], event["timestamp"])
    return ExplainedValue(value["scope"], value["value"], source)
