# SPDX-License-Identifier: Apache-2.0
"""The history of Microsoft Agent Framework over the HTTP API of Agent Sessions."""

import json
import uuid
from collections.abc import Sequence
from typing import Any

from agent_framework import HistoryProvider, Message
from agent_framework._sessions import filter_new_messages
from typing_extensions import Self

from ._connection import AgentSessionsError, Connection
from ._events import MESSAGE, event_of, tools_in
from ._sessions import UserSessions

_MOST_MESSAGES = 100  # as many ids as the service looks up at once
_MOST_EVENTS = 10_000
_SAME_MESSAGE = uuid.UUID("5b8f2a0e-3f0c-4f7e-9a53-7f1f0b6d2c11")


class AgentHistoryProvider(HistoryProvider):
    """Stores the messages of a user's sessions: `Agent(client, context_providers=[...])`.

    Each session of the framework is a session, each message an event. A message that the framework saves again is
    stored once.
    """

    def __init__(
        self,
        connection: Connection | None = None,
        *,
        app_name: str,
        user_id: str,
        source_id: str = "agent_sessions",
        **options: Any,
    ) -> None:
        """Makes a history for a user.

        Args:
            connection: The connection to the service, which histories and stores share. Without one, the history has
                its own, to the address in AGENT_SESSIONS_URL.
            app_name: The app of the sessions.
            user_id: The user of the sessions.
            source_id: The name of this provider in the framework.
            options: Further arguments of `HistoryProvider`, such as `load_messages` or `store_inputs`.
        """
        super().__init__(source_id, **options)
        self._sessions = UserSessions(connection, app_name, user_id)

    async def get_messages(
        self, session_id: str | None, *, state: dict[str, Any] | None = None, **kwargs: Any
    ) -> list[Message]:
        """Returns the messages of a session that are not rewound, oldest first."""
        response = await self._sessions.read(_named(session_id), {"view": "context"})
        return [Message.from_dict(message) for message in _messages_in(response.json() if response else {"events": []})]

    async def save_messages(
        self,
        session_id: str | None,
        messages: Sequence[Message],
        *,
        state: dict[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        """Appends messages after the newest one, and creates the session if it does not exist.

        What the framework's own histories would find to be saved already is left out. So is a message with a
        `message_id` that is stored with the same content, whatever other writers have appended after it.
        """
        name = _named(session_id)
        if not messages:
            return
        # An event between two messages may be a snapshot of AgentSessionStore
        newest = min(2 * len(messages) + 2, _MOST_EVENTS)
        session = (await self._sessions.open(name, {"view": "context", "numRecentEvents": newest})).json()
        existing = [Message.from_dict(message) for message in _messages_in(session)]
        events = _events(filter_new_messages(existing, messages), session)
        for first in range(0, len(events), _MOST_MESSAGES):
            await self._append(name, events[first : first + _MOST_MESSAGES])

    async def _append(self, name: str, events: list[dict[str, Any]]) -> None:
        """Appends after what others have appended, without events whose ids the session has."""
        while events:
            try:
                return await self._sessions.append(name, events)
            except AgentSessionsError as error:
                if error.code == "EVENT_ID_CONFLICT":
                    missing = await self._sessions.missing(name, [event["id"] for event in events])
                    events = [event for event in events if event["id"] in missing]
                elif error.code == "SESSION_NOT_FOUND":
                    await self._sessions.open(name, {"numRecentEvents": 0})
                else:
                    raise

    async def close(self) -> None:
        """Closes the connection, also for other histories and stores that share it."""
        await self._sessions.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


def _named(session_id: str | None) -> str:
    if not session_id:  # all such conversations would be one
        raise ValueError("A history needs the id of its session")
    return session_id


def _event_id_of(message: Message) -> str:
    """Returns the id of the event: the same one for the same message, if the message has an id."""
    if not message.message_id:
        return str(uuid.uuid4())
    return str(uuid.uuid5(_SAME_MESSAGE, json.dumps(message.to_dict(), sort_keys=True)))


def _messages_in(session: dict[str, Any]) -> list[dict[str, Any]]:
    stored = [event.get("customMetadata", {}).get(MESSAGE) for event in session["events"]]
    return [message for message in stored if message is not None]


def _events(messages: Sequence[Message], session: dict[str, Any]) -> list[dict[str, Any]]:
    """Returns the events of messages. A question begins a turn, other messages continue the one before them."""
    items = {_event_id_of(message): message.to_dict() for message in messages}
    tools = tools_in(_messages_in(session) + list(items.values()))
    turns = [event["invocationId"] for event in session["events"] if _messages_in({"events": [event]})]
    turn, events = turns[-1] if turns else "", []
    for event_id, item in items.items():
        turn = event_id if item["role"] == "user" or not turn else turn
        events.append(event_of(event_id, turn, item, tools))
    return events
