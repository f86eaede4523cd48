# SPDX-License-Identifier: Apache-2.0
"""What a session waits for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from google.genai import types


@dataclass(frozen=True)
class PendingCall:
    """A function call that waits for somebody's answer.

    Attributes:
        event_id: the event that the call is in.
        seq: the place of that event in the history, 1 for the first one.
        since: when it was stored, in seconds since 1970.
        function_call: the call; the response needs its id. Arguments of more than 4,096 characters are None here, and
            stand in the event.
    """

    event_id: str
    seq: int
    since: float
    function_call: types.FunctionCall

    @staticmethod
    def of(answer: dict[str, Any]) -> PendingCall:
        """Reads what the service says."""
        call = answer["functionCall"]
        function_call = types.FunctionCall(id=call["id"], name=call["name"], args=call.get("args"))
        return PendingCall(answer["eventId"], answer["seq"], answer["since"], function_call)
