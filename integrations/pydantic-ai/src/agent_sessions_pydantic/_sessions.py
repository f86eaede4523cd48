# SPDX-License-Identifier: Apache-2.0
"""The sessions of one user."""

import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx

from ._connection import AgentSessionsError, Connection

_MOST_EVENTS = 100
_MOST_CHARACTERS = 8_000_000  # half of what the service takes in one request


class UserSessions:
    """The sessions of a user of an app, by their ids."""

    def __init__(self, connection: Connection | None, app_name: str, user_id: str) -> None:
        self._connection = connection or Connection()
        self._path = ("apps", app_name, "users", user_id, "sessions")

    async def read(self, session_id: str, params: dict[str, Any]) -> httpx.Response | None:
        """Returns the response with the session, None if there is no such session."""
        try:
            return await self._connection.send("GET", (*self._path, session_id), params=params)
        except AgentSessionsError as error:
            if error.code == "SESSION_NOT_FOUND":
                return None
            raise

    async def create(self, session_id: str) -> httpx.Response | None:
        """Returns the response with the new session, None if there is one with this id."""
        try:
            return await self._connection.send("POST", self._path, body={"sessionId": session_id})
        except AgentSessionsError as error:
            if error.code == "ALREADY_EXISTS":
                return None
            raise

    async def all(self, params: dict[str, Any]) -> AsyncIterator[dict[str, Any]]:
        """Returns the sessions of the user without their events, those with the newest events first."""
        page = {**params, "order": "desc"}
        while True:
            response = await self._connection.send("GET", self._path, params=page)
            for session in response.json():
                yield session
            if not (token := response.headers.get("X-Next-Page-Token")):
                return
            page["pageToken"] = token

    async def event(self, session_id: str, event_id: str) -> dict[str, Any] | None:
        """Returns an event, None if there is no such event or no such session."""
        path = (*self._path, session_id)
        try:
            response = await self._connection.send("POST", path, "/events:get", body={"ids": [event_id]})
        except AgentSessionsError as error:
            if error.code == "SESSION_NOT_FOUND":
                return None
            raise
        events: list[dict[str, Any]] = response.json()["events"]
        return events[0] if events else None

    async def append(self, session_id: str, events: list[dict[str, Any]], etag: str) -> None:
        """Appends events if the session is in the state that the tag names, in one request if they fit in it."""
        for batch in _batches(events):
            path, body = (*self._path, session_id), {"events": batch}
            response = await self._connection.send("POST", path, "/events:batch", body=body, headers={"If-Match": etag})
            etag = response.headers["ETag"]

    async def delete(self, session_id: str, etag: str) -> None:
        """Deletes the session if it is in the state that the tag names."""
        await self._connection.send("DELETE", (*self._path, session_id), headers={"If-Match": etag})

    async def close(self) -> None:
        await self._connection.close()


def _batches(events: list[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    batch: list[dict[str, Any]] = []
    size = 0
    for event in events:
        length = len(json.dumps(event))
        if batch and (len(batch) == _MOST_EVENTS or size + length > _MOST_CHARACTERS):
            yield batch
            batch, size = [], 0
        batch.append(event)
        size += length
    yield batch
