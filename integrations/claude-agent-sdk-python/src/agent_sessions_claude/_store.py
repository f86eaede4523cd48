# SPDX-License-Identifier: Apache-2.0
"""The session store of Claude Agent SDK over the HTTP API of Agent Sessions."""

import json
import random
import uuid
from collections.abc import AsyncIterator, Iterator
from typing import Any, NamedTuple

import anyio
from claude_agent_sdk import (
    SessionKey,
    SessionListSubkeysKey,
    SessionStore,
    SessionStoreEntry,
    SessionStoreListEntry,
    SessionSummaryEntry,
    fold_session_summary,
)
from typing_extensions import Self

from ._connection import AgentSessionsError, Connection, names_in, session_name
from ._events import ENTRY, event_of, is_question, message_id, tools_in

#: The key of the session's state with the summary that the SDK makes. The SDK for TypeScript makes others.
SUMMARY = "claude_summary"
_TYPESCRIPT_SUMMARY = "claude_summary_typescript"
_MOST_ENTRIES = 100  # as many ids as the service looks up at once
_MOST_CHARACTERS = 500_000
_MOST_HEADS = 1_000

_Entries = list[tuple[str, SessionStoreEntry]]


class _Head(NamedTuple):
    """What an append has to know of the session before it."""

    etag: str
    turn: str | None
    summary: dict[str, Any] | None


class AgentSessionStore(SessionStore):
    """Stores the transcripts of one user: `ClaudeAgentOptions(session_store=...)`.

    Each transcript is a session, each entry an event. The `uuid` of an entry is the id of its event, so an entry that
    is appended again is stored once. The transcript of a subagent is a session of its own.
    """

    def __init__(self, connection: Connection | None = None, *, app_name: str, user_id: str) -> None:
        """Makes a store for a user.

        Args:
            connection: The connection to the service, which stores of several users share. Without one, the store has
                its own, to the address in AGENT_SESSIONS_URL.
            app_name: The app of the sessions.
            user_id: The user of the sessions.
        """
        self._connection = connection or Connection()
        self._sessions = ("apps", app_name, "users", user_id, "sessions")
        self._heads: dict[str, _Head] = {}

    async def append(self, key: SessionKey, entries: list[SessionStoreEntry]) -> None:
        """Appends entries after the newest one. Entries with a `uuid` that the session has already are left out."""
        unique: dict[str, SessionStoreEntry] = {}
        for entry in entries:
            unique.setdefault(session_name(_text(entry.get("uuid")) or str(uuid.uuid4())), entry)
        for some in _chunks(list(unique.items())):
            await self._append(key, some)

    async def load(self, key: SessionKey) -> list[SessionStoreEntry] | None:
        """Returns the entries of a transcript in the order in which they were stored, None if there are none."""
        try:
            response = await self._connection.send("GET", (*self._sessions, _id_of(key)))
        except AgentSessionsError as error:
            if error.code == "SESSION_NOT_FOUND":
                return None
            raise
        stored = [event.get("customMetadata", {}).get(ENTRY) for event in response.json()["events"]]
        return [entry for entry in stored if entry is not None] or None

    async def list_sessions(self, project_key: str) -> list[SessionStoreListEntry]:
        """Returns the transcripts of a project, without those of subagents."""
        return [
            {"session_id": names[1], "mtime": _milliseconds(session)}
            async for names, session in self._list(project_key)
            if len(names) == 2
        ]

    async def list_session_summaries(self, project_key: str) -> list[SessionSummaryEntry]:
        """Returns the summaries of a project's transcripts, which each append brings up to date.

        The SDK reads a transcript that also the SDK for TypeScript has written instead.
        """
        return [
            {"session_id": names[1], "mtime": _milliseconds(session), "data": session["state"][SUMMARY]}
            async for names, session in self._list(project_key)
            if len(names) == 2 and SUMMARY in session["state"] and _TYPESCRIPT_SUMMARY not in session["state"]
        ]

    async def delete(self, key: SessionKey) -> None:
        """Deletes a transcript, and with the main transcript those of its subagents."""
        subpaths = [] if key.get("subpath") else await self.list_subkeys(_main(key))
        for name in (*(_id_of({**key, "subpath": subpath}) for subpath in subpaths), _id_of(key)):
            await self._connection.send("DELETE", (*self._sessions, name))
            self._heads.pop(name, None)

    async def list_subkeys(self, key: SessionListSubkeysKey) -> list[str]:
        """Returns the paths of the transcripts of a session's subagents."""
        return [names[2] async for names, _ in self._list(key["project_key"], key["session_id"]) if len(names) == 3]

    async def close(self) -> None:
        """Closes the connection, also for other stores that share it."""
        await self._connection.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _append(self, key: SessionKey, entries: _Entries) -> None:
        """Appends in one transaction if nobody else has appended since the head was read; otherwise reads it again."""
        name, pause = _id_of(key), 0.01
        while entries:
            head = self._heads.get(name) or await self._open(name)
            events, turn, summary = _events(key, entries, head)
            try:
                response = await self._connection.send(
                    "POST",
                    (*self._sessions, name),
                    "/events:batch",
                    body={"events": events},
                    headers={"If-Match": head.etag},
                )
            except AgentSessionsError as error:
                self._heads.pop(name, None)
                if error.code == "EVENT_ID_CONFLICT":
                    entries = await self._without_stored(name, entries)
                elif error.code not in ("STALE_SESSION", "SESSION_NOT_FOUND"):
                    raise
                await anyio.sleep(random.uniform(0, pause))
                pause = min(2 * pause, 0.5)
                continue
            self._heads.pop(name, None)
            if "Idempotent-Replayed" not in response.headers:  # then others may have appended after it
                self._heads[name] = _Head(response.headers["ETag"], turn, summary)
                for oldest in list(self._heads)[:-_MOST_HEADS]:
                    del self._heads[oldest]
            return

    async def _open(self, name: str) -> _Head:
        """Reads the newest event and the state, and creates the session if it does not exist."""
        while True:
            try:
                response = await self._connection.send(
                    "GET", (*self._sessions, name), params={"numRecentEvents": 1, "parts": "light"}
                )
            except AgentSessionsError as error:
                if error.code != "SESSION_NOT_FOUND":
                    raise
                await self._create(name)
                continue
            session = response.json()
            turn = session["events"][-1].get("invocationId") or None if session["events"] else None
            return _Head(response.headers["ETag"], turn, session["state"].get(SUMMARY))

    async def _create(self, name: str) -> None:
        try:
            await self._connection.send("POST", self._sessions, body={"sessionId": name})
        except AgentSessionsError as error:
            if error.code != "ALREADY_EXISTS":
                raise

    async def _without_stored(self, name: str, entries: _Entries) -> _Entries:
        """Leaves out entries whose ids the session has, with whatever content: the first one stays."""
        response = await self._connection.send(
            "POST", (*self._sessions, name), "/events:get", body={"ids": [id_ for id_, _ in entries]}
        )
        missing = set(response.json()["missing"])
        return [(id_, entry) for id_, entry in entries if id_ in missing]

    async def _list(self, *names: str) -> AsyncIterator[tuple[list[str], dict[str, Any]]]:
        """Yields the sessions with events whose names begin with these and have more."""
        params: dict[str, Any] = {"prefix": session_name(*names) + ":", "includeRevision": "true"}
        while True:
            response = await self._connection.send("GET", self._sessions, params=params)
            for session in response.json():
                found = names_in(session["id"]) if session["id"].startswith(params["prefix"]) else []
                if found and session["revision"]:
                    yield found, session
            if not (token := response.headers.get("X-Next-Page-Token")):
                return
            params["pageToken"] = token


def _events(
    key: SessionKey, entries: _Entries, head: _Head
) -> tuple[list[dict[str, Any]], str | None, dict[str, Any] | None]:
    """Returns the events of the entries, the turn after them, and the summary with them, which the last one sets."""
    last_of_message = {message_id(entry): id_ for id_, entry in entries}
    tools = {call: name for _, entry in entries for call, name in tools_in(entry).items()}
    events, turn = [], head.turn
    for id_, entry in entries:
        turn = id_ if is_question(entry) else turn
        events.append(event_of(id_, entry, turn, last_of_message[message_id(entry)] == id_, tools))
    if key.get("subpath"):
        return events, turn, None
    before: SessionSummaryEntry | None = (
        {"session_id": key["session_id"], "mtime": 0, "data": head.summary} if head.summary is not None else None
    )
    summary = fold_session_summary(before, key, [entry for _, entry in entries])["data"]
    if summary != head.summary:
        events[-1]["actions"] = {"stateDelta": {SUMMARY: summary}}
    return events, turn, summary


def _chunks(entries: _Entries) -> Iterator[_Entries]:
    """Divides entries into appends that the service accepts, in their order."""
    some: _Entries = []
    size = 0
    for id_, entry in entries:
        characters = len(json.dumps(entry))
        if some and (len(some) == _MOST_ENTRIES or size + characters > _MOST_CHARACTERS):
            yield some
            some, size = [], 0
        some.append((id_, entry))
        size += characters
    if some:
        yield some


def _id_of(key: SessionKey) -> str:
    subpath = key.get("subpath")
    return session_name(key["project_key"], key["session_id"], *([subpath] if subpath else []))


def _main(key: SessionKey) -> SessionListSubkeysKey:
    return {"project_key": key["project_key"], "session_id": key["session_id"]}


def _milliseconds(session: dict[str, Any]) -> int:
    return int(session["lastUpdateTime"] * 1000)


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None
