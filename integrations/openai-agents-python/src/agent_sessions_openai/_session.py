# SPDX-License-Identifier: Apache-2.0
"""The session of OpenAI Agents SDK over the HTTP API of Agent Sessions."""

import uuid
from typing import Any, cast

import httpx
from agents import SessionSettings, TResponseInputItem
from agents.memory.session_settings import coerce_session_settings
from typing_extensions import Self

from ._connection import AgentSessionsError, Connection, session_name
from ._events import ITEM, event_of, tools_in

_MOST_ITEMS = 1_000  # as many events as the service stores in one transaction


class AgentSession:
    """A session of a user: `Runner.run(agent, input, session=...)`. It is the protocol `agents.memory.Session`.

    Each item is an event. What `pop_item` removes is rewound: no reader gets it as part of the conversation, and the
    history still has it. `clear_session` deletes everything.

    Attributes:
        session_id: The id of the session, as the caller has named it.
        session_settings: The settings of the SDK, such as the limit of `get_items`.
    """

    session_settings: SessionSettings | None

    def __init__(
        self,
        session_id: str,
        *,
        app_name: str,
        user_id: str,
        connection: Connection | None = None,
        session_settings: SessionSettings | dict[str, Any] | None = None,
    ) -> None:
        """Creates nothing yet: the first item creates the session.

        Args:
            session_id: The id of the session, with any characters.
            app_name: The app of the session.
            user_id: The user of the session.
            connection: The connection to the service, which sessions share. Without one, the session has its own, to
                the address in AGENT_SESSIONS_URL.
            session_settings: The settings of the SDK.
        """
        self.session_id = session_id
        self.session_settings = coerce_session_settings(session_settings or SessionSettings())
        self._connection = connection or Connection()
        self._sessions = ("apps", app_name, "users", user_id, "sessions")
        self._name = session_name(session_id)

    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        """Returns the items, oldest first, or the newest ones if there is a limit."""
        if limit is None and self.session_settings is not None:
            limit = self.session_settings.limit
        if limit == 0:
            return []
        response = await self._read(limit if limit is not None and limit > 0 else None)
        events = response.json()["events"] if response else []
        return [_item_of(event) for event in events if _item_of(event) is not None]

    async def add_items(self, items: list[TResponseInputItem]) -> None:
        """Adds items after the newest one, all or none of up to 1,000, and creates the session if it does not exist."""
        for first in range(0, len(items), _MOST_ITEMS):
            some = items[first : first + _MOST_ITEMS]
            tools = tools_in(some)
            await self._append([event_of(str(uuid.uuid4()), cast(dict[str, Any], item), tools) for item in some])

    async def pop_item(self) -> TResponseInputItem | None:
        """Removes the newest item and returns it, None if there is none. Two callers never get the same item."""
        while True:
            response = await self._read(1)
            events = response.json()["events"] if response else []
            if response is None or not events or _item_of(events[0]) is None:
                return None
            rewind = {"beforeEventId": events[0]["id"], "eventId": str(uuid.uuid4())}
            unchanged = {"If-Match": response.headers["ETag"]}
            try:
                await self._connection.send("POST", self._path, ":rewind", body=rewind, headers=unchanged)
            except AgentSessionsError as error:
                if error.code not in ("STALE_SESSION", "SESSION_NOT_FOUND"):
                    raise
                continue
            return _item_of(events[0])

    async def clear_session(self) -> None:
        """Deletes the session with its items. The next item creates it again."""
        await self._connection.send("DELETE", self._path)

    async def close(self) -> None:
        """Closes the connection, also for other sessions that share it."""
        await self._connection.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    @property
    def _path(self) -> tuple[str, ...]:
        return (*self._sessions, self._name)

    async def _read(self, limit: int | None) -> httpx.Response | None:
        """Reads the newest events that are not rewound, all of them without a limit."""
        params = {"view": "context"} | ({} if limit is None else {"numRecentEvents": str(limit)})
        try:
            return await self._connection.send("GET", self._path, params=params)
        except AgentSessionsError as error:
            if error.code == "SESSION_NOT_FOUND":
                return None
            raise

    async def _append(self, events: list[dict[str, Any]]) -> None:
        while True:
            try:
                await self._connection.send("POST", self._path, "/events:batch", body={"events": events})
                return
            except AgentSessionsError as error:
                if error.code != "SESSION_NOT_FOUND":
                    raise
            try:
                await self._connection.send("POST", self._sessions, body={"sessionId": self._name})
            except AgentSessionsError as error:
                if error.code != "ALREADY_EXISTS":
                    raise


def _item_of(event: dict[str, Any]) -> TResponseInputItem:
    return cast(TResponseInputItem, event.get("customMetadata", {}).get(ITEM))
