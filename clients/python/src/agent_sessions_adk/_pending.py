# SPDX-License-Identifier: Apache-2.0
"""Pending calls: function calls of a session that wait for a response."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from google.genai import types


@dataclass(frozen=True)
class PendingCall:
    """A function call that waits for a function response.

    Attributes:
        event_id: the id of the event with the call.
        seq: the seq of that event, 1 for the first event.
        since: when the service stored that event, in seconds since 1970.
        function_call: the call; the response needs its id. Arguments of more than 4,096 characters are None here; the
            event has them.
    """

    event_id: str
    seq: int
    since: float
    function_call: types.FunctionCall

    @staticmethod
    def of(answer: dict[str, Any]) -> PendingCall:
        """Reads an item of a response."""
        call = answer["functionCall"]
        function_call = types.FunctionCall(id=call["id"], name=call["name"], args=call.get("args"))
        return PendingCall(answer["eventId"], answer["seq"], answer["since"], function_call)
