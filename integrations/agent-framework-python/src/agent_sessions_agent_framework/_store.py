# SPDX-License-Identifier: Apache-2.0
"""The session store of Microsoft Agent Framework over the HTTP API of Agent Sessions."""

import json
import random
import uuid
from typing import Any
from weakref import WeakKeyDictionary

import anyio
import httpx
from agent_framework import AgentSession, SessionStore
from typing_extensions import Self

from ._connection import AgentSessionsError, Connection
from ._sessions import UserSessions

#: The key of the session's state with the snapshot, and with the id of the event that has set it.
SNAPSHOT = "agent_framework_session"
_NO_EVENTS = {"numRecentEvents": 0}


class AgentSessionStore(SessionStore):
    """Stores snapshots of a user's sessions. A snapshot is a key of the session's state.

    A session that `get` has returned replaces the snapshot that it was made of, and no other one.
    """

    def __init__(self, connection: Connection | None = None, *, app_name: str, user_id: str) -> None:
        """Makes a store for a user.

        Args:
            connection: The connection to the service, which histories and stores share. Without one, the store has
                its own, to the address in AGENT_SESSIONS_URL.
            app_name: The app of the sessions.
            user_id: The user of the sessions.
        """
        super().__init__()
        self._of_user = UserSessions(connection, app_name, user_id)
        self._known: WeakKeyDictionary[AgentSession, tuple[str, str]] = WeakKeyDictionary()

    async def get(self, session_id: str) -> AgentSession | None:
        """Returns the session of the snapshot, None if there is none."""
        self.validate_session_id(session_id)
        version, snapshot = _snapshot_in(await self._of_user.read(session_id, _NO_EVENTS))
        if version is None or snapshot is None:
            return None
        session = AgentSession.from_dict(snapshot)
        self._known[session] = (session_id, version)
        return session

    async def set(self, session_id: str, session: AgentSession) -> None:
        """Stores a snapshot. An unchanged one is not stored again.

        Raises:
            AgentSessionsError: `get` has returned this session, and another caller has replaced or deleted its
                snapshot since (412, STALE_SESSION). Nothing is stored.
        """
        self.validate_session_id(session_id)
        snapshot, event_id, pause = session.to_dict(), str(uuid.uuid4()), 0.01
        known_id, read = self._known.get(session, (session_id, None))
        while True:
            response = await self._of_user.open(session_id, _NO_EVENTS)
            version, stored = _snapshot_in(response)
            if read is not None and known_id == session_id and version not in (read, event_id):
                raise AgentSessionsError("The snapshot has changed since it was read", 412, "STALE_SESSION")
            if version is not None and json.dumps(stored) == json.dumps(snapshot):
                self._known[session] = (session_id, version)
                return
            try:
                await self._of_user.append(session_id, [_event(event_id, snapshot)], response.headers["ETag"])
            except AgentSessionsError as error:
                if error.code not in ("STALE_SESSION", "SESSION_NOT_FOUND"):
                    raise
                await anyio.sleep(random.uniform(0, pause))
                pause = min(2 * pause, 0.5)
                continue
            self._known[session] = (session_id, event_id)
            return

    async def delete(self, session_id: str) -> None:
        """Deletes the session with its snapshot and its messages."""
        self.validate_session_id(session_id)
        await self._of_user.delete(session_id)

    async def close(self) -> None:
        """Closes the connection, also for other histories and stores that share it."""
        await self._of_user.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


def _event(event_id: str, snapshot: dict[str, Any]) -> dict[str, Any]:
    delta = {SNAPSHOT: {"version": event_id, "session": snapshot}}
    return {
        "id": event_id,
        "invocationId": event_id,
        "author": "agent_framework",
        "actions": {"stateDelta": delta},
    }


def _snapshot_in(response: httpx.Response | None) -> tuple[str | None, dict[str, Any] | None]:
    stored = response.json()["state"].get(SNAPSHOT) if response else None
    return (stored["version"], stored["session"]) if stored else (None, None)
