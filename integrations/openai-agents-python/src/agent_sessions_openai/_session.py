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
_NOTHING: dict[str, Any] = {"events": [], "seqs": [], "revision": 0}


class AgentSession:
    """A session of a user: `Runner.run(agent, input, session=...)`. It is the protocol `agents.memory.Session`.

    Each item is an event. What `pop_item` and `clear_session` remove is rewound: no reader gets it as part of the
    conversation, and the history still has it.

    A compaction of the SDK reads the items, waits for a model, reads them again, clears the session and adds a summary.
    What another process has added since the first read is not in the summary, so it comes after the summary.

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
        self._revisions: list[int] = []  # of the last two reads of the caller
        self._own: set[int] = set()  # the seqs of events that this object has added since the first of them
        self._unread: list[Any] | None = None  # what others have added of that which the caller has just cleared

    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        """Returns the items, oldest first, or the newest ones if there is a limit."""
        if limit is None and self.session_settings is not None:
            limit = self.session_settings.limit
        if limit == 0:
            return []
        response = await self._read(limit if limit is not None and limit > 0 else None)
        session = response.json() if response else _NOTHING
        self._revisions, self._unread = [*self._revisions[-1:], session["revision"]], None
        self._own = {seq for seq in self._own if seq > self._revisions[0]}
        return [_item_of(event) for _, event in _with_items(session)]

    async def add_items(self, items: list[TResponseInputItem]) -> None:
        """Adds items after the newest one, all or none of up to 1,000, and creates the session if it does not exist.

        Directly after `clear_session`, they come before items that others have added meanwhile.
        """
        unread, self._unread = self._unread, None
        events = _events_of(items)
        if unread is not None and events:
            await self._replace(events, unread)
            return
        for first in range(0, len(events), _MOST_ITEMS):
            await self._append(events[first : first + _MOST_ITEMS])

    async def pop_item(self) -> TResponseInputItem | None:
        """Removes the newest item and returns it, None if there is none. Two callers never get the same item."""
        self._unread = None
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
        """Removes all items. The session keeps its history, its state, its display name and its labels."""
        removed = await self._replace([], [])
        read = self._revisions[0] if self._revisions else None
        unread = [(seq, item) for seq, item in removed if read is not None and seq > read and seq not in self._own]
        self._unread = [item for _, item in unread]

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
        params = {"view": "context", "includeRevision": "true", "seqs": "true"}
        params |= {} if limit is None else {"numRecentEvents": str(limit)}
        try:
            return await self._connection.send("GET", self._path, params=params)
        except AgentSessionsError as error:
            if error.code == "SESSION_NOT_FOUND":
                return None
            raise

    async def _append(self, events: list[dict[str, Any]]) -> None:
        while not await self._stored(events):
            await self._create()

    async def _replace(self, events: list[dict[str, Any]], unread: list[Any]) -> list[tuple[int, Any]]:
        """Removes all items and adds events, in one transaction. Returns the removed items with their seqs.

        If there are events, the unread items and the removed ones are added after them.
        """
        while True:
            response = await self._read(None)
            stored = _with_items(response.json()) if response else []
            removed = [(seq, _item_of(event)) for seq, event in stored]
            added = [*events, *_events_of([*unread, *(item for _, item in removed)])] if events else []
            batch = [*([_mark(stored[0][1], not events)] if stored else []), *added]
            if batch and response is None:
                await self._create()
            elif not batch or await self._stored(batch[:_MOST_ITEMS], response and response.headers["ETag"]):
                for first in range(_MOST_ITEMS, len(batch), _MOST_ITEMS):
                    await self._append(batch[first : first + _MOST_ITEMS])
                return removed

    async def _stored(self, events: list[dict[str, Any]], etag: str | None = None) -> bool:
        """Appends events; returns whether there is such a session, and it has not changed."""
        unchanged = {} if etag is None else {"If-Match": etag}
        try:
            response = await self._connection.send(
                "POST", self._path, "/events:batch", body={"events": events}, headers=unchanged
            )
        except AgentSessionsError as error:
            if error.code not in ("STALE_SESSION", "SESSION_NOT_FOUND"):
                raise
            return False
        self._own.update(response.json()["seqs"])
        return True

    async def _create(self) -> None:
        try:
            await self._connection.send("POST", self._sessions, body={"sessionId": self._name})
        except AgentSessionsError as error:
            if error.code != "ALREADY_EXISTS":
                raise


def _with_items(session: dict[str, Any]) -> list[tuple[int, dict[str, Any]]]:
    """Returns the events that this package has made, with their seqs."""
    numbered = zip(session["seqs"], session["events"], strict=True)
    return [(seq, event) for seq, event in numbered if _item_of(event) is not None]


def _events_of(items: list[Any]) -> list[dict[str, Any]]:
    tools = tools_in(items)
    return [event_of(str(uuid.uuid4()), item, tools) for item in items]


def _mark(first: dict[str, Any], is_clear: bool) -> dict[str, Any]:
    """Returns an event that takes back the events from the first one on, and itself."""
    event_id = str(uuid.uuid4())
    # In JavaScript, an operation of the SDK may be applied once more after the session was cleared
    cleared = {"stateDelta": {"openai_cleared": event_id}} if is_clear else {}
    actions = {"rewindBeforeInvocationId": first["invocationId"], **cleared}
    return {"id": event_id, "invocationId": event_id, "author": "assistant", "actions": actions}


def _item_of(event: dict[str, Any]) -> TResponseInputItem:
    return cast(TResponseInputItem, event.get("customMetadata", {}).get(ITEM))
