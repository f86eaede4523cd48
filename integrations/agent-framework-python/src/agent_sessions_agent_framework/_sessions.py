# SPDX-License-Identifier: Apache-2.0
"""The sessions of one user, which the history and the store share."""

from typing import Any

import httpx

from ._connection import AgentSessionsError, Connection, session_name


class UserSessions:
    """The sessions of a user of an app."""

    def __init__(self, connection: Connection | None, app_name: str, user_id: str) -> None:
        self._connection = connection or Connection()
        self._path = ("apps", app_name, "users", user_id, "sessions")

    async def read(self, session_id: str, params: dict[str, Any]) -> httpx.Response | None:
        """Returns the response with the session, None if there is no such session."""
        try:
            return await self._connection.send("GET", self._path_of(session_id), params=params)
        except AgentSessionsError as error:
            if error.code == "SESSION_NOT_FOUND":
                return None
            raise

    async def open(self, session_id: str, params: dict[str, Any]) -> httpx.Response:
        """Returns the response with the session, and creates the session if it does not exist."""
        while (response := await self.read(session_id, params)) is None:
            try:
                await self._connection.send("POST", self._path, body={"sessionId": session_name(session_id)})
            except AgentSessionsError as error:
                if error.code != "ALREADY_EXISTS":
                    raise
        return response

    async def append(self, session_id: str, events: list[dict[str, Any]], etag: str | None = None) -> None:
        """Appends all events or none, and with a tag only if the session is in the state that it names."""
        headers = {"If-Match": etag} if etag else {}
        path = self._path_of(session_id)
        await self._connection.send("POST", path, "/events:batch", body={"events": events}, headers=headers)

    async def missing(self, session_id: str, event_ids: list[str]) -> set[str]:
        """Returns those of the ids, at most 100, for which the session has no event."""
        path = self._path_of(session_id)
        response = await self._connection.send("POST", path, "/events:get", body={"ids": event_ids})
        return set(response.json()["missing"])

    async def delete(self, session_id: str) -> None:
        await self._connection.send("DELETE", self._path_of(session_id))

    async def close(self) -> None:
        await self._connection.close()

    def _path_of(self, session_id: str) -> tuple[str, ...]:
        return (*self._path, session_name(session_id))
