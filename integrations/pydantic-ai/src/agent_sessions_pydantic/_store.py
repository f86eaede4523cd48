# SPDX-License-Identifier: Apache-2.0
"""The conversation store of Pydantic AI over the HTTP API of Agent Sessions."""

import dataclasses
import random
import uuid
from collections.abc import AsyncIterator, Sequence
from typing import Any

import anyio
from pydantic_ai.conversation_store import (
    ConversationConflict,
    ConversationEntry,
    ConversationRecord,
    ConversationStore,
)
from typing_extensions import Self

from ._connection import AgentSessionsError, Connection, session_name
from ._events import entry_in, event_of, event_of_record, record_in
from ._sessions import UserSessions

_NO_EVENTS = {"numRecentEvents": 0}
_MOST_EVENTS = 10_000


class EntryId(str):
    """The id of an entry that knows a session with this entry, because the id alone does not name one."""

    session_id: str


class AgentSessionsStore(ConversationStore):
    """Stores a user's conversations: each is a session, each entry an event, and the record a key of the state.

    A deletion deletes all messages of the conversation. A fork keeps its history, because it has a copy.
    """

    def __init__(self, connection: Connection | None = None, *, app_name: str, user_id: str) -> None:
        """Makes a store for a user.

        Args:
            connection: The connection to the service, which stores share. Without one, the store has its own, to the
                address in AGENT_SESSIONS_URL.
            app_name: The app of the conversations.
            user_id: The user of the conversations.
        """
        self._sessions = UserSessions(connection, app_name, user_id)

    async def read_record(self, conversation_id: str) -> ConversationRecord | None:
        """Returns the record of a conversation, None if there is none."""
        response = await self._sessions.read(session_name(conversation_id), _NO_EVENTS)
        return _record_of(response.json()) if response else None

    async def read_records(self, *, scope: str | None = None, limit: int | None = None) -> Sequence[ConversationRecord]:
        """Returns the records of the user, the one that was saved last first."""
        found = [_record_of(session) async for session in self._sessions.all({})]
        records = [record for record in found if record and (scope is None or record.scope == scope)]
        return sorted(records, key=lambda record: record.updated_at, reverse=True)[:limit]

    async def write_record(
        self,
        record: ConversationRecord,
        *,
        new_entries: Sequence[ConversationEntry] = (),
        expected_revision: str | None,
    ) -> None:
        """Stores a record and its new entries in one transaction, or in several if one request cannot take them.

        Raises:
            ConversationConflict: The stored record has another revision, or there is no entry that the record names.
        """
        name, event_id, pause = session_name(record.conversation_id), str(uuid.uuid4()), 0.01
        new = [event_of(entry) for entry in new_entries]
        while True:
            response = await self._sessions.read(name, _NO_EVENTS)
            session = response.json() if response else {"id": name, "state": {}}
            stored = _record_of(session)
            if stored and record_in(session)[0] == event_id:
                return  # an earlier request, whose response was lost
            if (stored.revision if stored else None) != expected_revision:
                raise ConversationConflict(record.conversation_id)
            shared = await self._shared(name, record, new_entries, stored)
            response = response or await self._sessions.create(name)
            if response is None:
                continue
            try:
                events = [*shared, *new, event_of_record(event_id, record)]
                return await self._sessions.append(name, events, response.headers["ETag"])
            except AgentSessionsError as error:
                if error.code not in ("STALE_SESSION", "SESSION_NOT_FOUND"):
                    raise
            await anyio.sleep(random.uniform(0, pause))
            pause = min(2 * pause, 0.5)

    async def delete_record(self, conversation_id: str, *, expected_revision: str) -> None:
        """Deletes a conversation with all its messages. Forks have copies, and keep them.

        Raises:
            ConversationConflict: The stored record has another revision, or there is none.
        """
        name = session_name(conversation_id)
        while True:
            response = await self._sessions.read(name, _NO_EVENTS)
            stored = _record_of(response.json()) if response else None
            if response is None or stored is None or stored.revision != expected_revision:
                raise ConversationConflict(conversation_id)
            try:
                return await self._sessions.delete(name, response.headers["ETag"])
            except AgentSessionsError as error:
                if error.code != "STALE_SESSION":
                    raise

    async def read_entry(self, entry_id: str) -> ConversationEntry:
        """Returns an entry. An id that this store has not returned is looked up in each session of the user.

        Raises:
            LookupError: There is no such entry.
        """
        async for name in self._places(entry_id):
            event = await self._sessions.event(name, entry_id)
            if event and (entry := _entry_of(event, name)):
                return entry
        raise LookupError(f"No entry {entry_id}")

    async def read_history(self, head_id: str | None, *, limit: int | None = None) -> list[ConversationEntry]:
        """Returns the entries up to one, oldest first, from one read of the session that has them.

        Raises:
            LookupError: There is no such entry.
        """
        if head_id is None or limit == 0:
            return []
        return [entry for entry, _ in await self._line(head_id, limit)]

    async def close(self) -> None:
        """Closes the connection, also for other stores that share it."""
        await self._sessions.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _shared(
        self,
        name: str,
        record: ConversationRecord,
        new_entries: Sequence[ConversationEntry],
        stored: ConversationRecord | None,
    ) -> list[dict[str, Any]]:
        """Returns the events that the session needs from another one, with the history before the new entries.

        The tokens of a copy are not counted again, because they count where the model was asked.
        """
        here = {entry.id for entry in new_entries} | ({stored.head_id} if stored else set())
        first = new_entries[0].parent_id if new_entries else None
        copies: dict[str, dict[str, Any]] = {}
        for entry_id in (first, record.head_id):
            if entry_id is None or entry_id in here or await self._sessions.event(name, entry_id):
                continue
            try:
                line = await self._line(entry_id, None)
            except LookupError:
                raise ConversationConflict(record.conversation_id) from None
            copies |= {entry.id: {key: event[key] for key in event if key != "usageMetadata"} for entry, event in line}
        return list(copies.values())

    async def _line(self, head_id: str, limit: int | None) -> list[tuple[ConversationEntry, dict[str, Any]]]:
        """Returns the entries up to one with their events, oldest first, or only the last ones."""
        async for name in self._places(head_id):
            # Between two entries may be the events of two records, and a branch that is not in the line
            windows: list[dict[str, Any]] = [{"numRecentEvents": min(3 * limit + 3, _MOST_EVENTS)}] if limit else []
            for window in [*windows, {}]:
                response = await self._sessions.read(name, window)
                line = _line_in(response.json()["events"] if response else [], name, head_id, limit)
                if line is not None:
                    return line
        raise LookupError(f"No entry {head_id}")

    async def _places(self, entry_id: str) -> AsyncIterator[str]:
        """Returns the ids of sessions that have the entry: first the one that the id knows, which may be deleted."""
        known = entry_id.session_id if isinstance(entry_id, EntryId) else None
        if known is not None:
            yield known
        async for session in self._sessions.all({"includeState": False}):
            if session["id"] != known and await self._sessions.event(session["id"], entry_id):
                yield session["id"]


def _line_in(
    events: list[dict[str, Any]], name: str, head_id: str, limit: int | None
) -> list[tuple[ConversationEntry, dict[str, Any]]] | None:
    found = {event["id"]: event for event in events}
    line: list[tuple[ConversationEntry, dict[str, Any]]] = []
    entry_id: str | None = head_id
    while entry_id is not None and (limit is None or len(line) < limit):
        event = found.get(entry_id)
        entry = _entry_of(event, name) if event else None
        if event is None or entry is None:
            return None
        line.append((entry, event))
        entry_id = entry.parent_id
    return line[::-1]


def _entry_of(event: dict[str, Any], name: str) -> ConversationEntry | None:
    entry = entry_in(event)
    parent_id = _located(entry.parent_id, name) if entry else None
    return entry and dataclasses.replace(entry, id=_located(entry.id, name) or "", parent_id=parent_id)


def _record_of(session: dict[str, Any]) -> ConversationRecord | None:
    _, record = record_in(session)
    name = session["id"]
    if record is None or session_name(record.conversation_id) != name:  # a fork that the service has made
        return None
    record.head_id, record.forked_at = _located(record.head_id, name), _located(record.forked_at, name)
    record.branches = [_located(tip, name) or "" for tip in record.branches]
    return record


def _located(entry_id: str | None, name: str) -> str | None:
    if entry_id is None:
        return None
    located = EntryId(entry_id)
    located.session_id = name
    return located
