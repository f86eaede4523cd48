# SPDX-License-Identifier: Apache-2.0
"""ADK's session service over the HTTP API of Agent Sessions."""

from __future__ import annotations

import asyncio
import inspect
import json
import os
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any, Literal
from urllib.parse import quote

import httpx
from google.adk.errors.already_exists_error import AlreadyExistsError
from google.adk.events.event import Event
from google.adk.sessions.base_session_service import BaseSessionService, GetSessionConfig, ListSessionsResponse
from google.adk.sessions.session import Session
from google.adk.sessions.state import State
from pydantic import PrivateAttr

from ._errors import InvalidRequestError, SessionNotFoundError, error_of
from ._json import event_json, jsonable, read_model
from ._transport import Transport
from ._watch import Watch, WatchedEvent

DEFAULT_URL = "http://localhost:8080"

#: Gives the bearer token for an app and a user, or for all users of the app (None).
TokenFunction = Callable[[str, str | None], str | Awaitable[str]]


class _ReadSession(Session):
    """A session that knows which revision of it was read. So does each copy of it."""

    _entity_tag: str | None = PrivateAttr(default=None)


class _Queue:
    """The appends of one session object, which wait for each other."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.users = 0


class AgentSessionService(BaseSessionService):
    """Keeps the sessions of ADK's agents in Agent Sessions.

    Args:
        url: where the service is; by default AGENT_SESSIONS_URL of the environment, else http://localhost:8080.
        api_key: an API key of the service; by default AGENT_SESSIONS_API_KEY of the environment, else none.
        token: gives the bearer token for an app and a user, instead of a key. It is asked before each call, and may
            be async; the user is None where all users of an app are listed.
        optimistic_locking: refuse an append (StaleSessionError) if the session has changed since it was read.
            False appends behind whatever came before.
        view: "context" reads of a session only the events from which ADK builds its prompts: neither what was rewound,
            nor what a summary of ADK's compaction stands for. "full" reads all.
        timeout: seconds to wait for one answer. The service itself gives up after 30.
        retry_for: seconds during which a request is sent again after a lost answer or 429, 502, 503, 504.
        http_options: further arguments of httpx.AsyncClient, such as verify, cert, proxy, limits.
    """

    def __init__(
        self,
        url: str | None = None,
        *,
        api_key: str | None = None,
        token: TokenFunction | None = None,
        optimistic_locking: bool = True,
        view: Literal["full", "context"] = "full",
        timeout: float = 40.0,
        retry_for: float = 60.0,
        http_options: Mapping[str, Any] | None = None,
    ) -> None:
        self.url = url or os.environ.get("AGENT_SESSIONS_URL") or DEFAULT_URL
        self._api_key = api_key or os.environ.get("AGENT_SESSIONS_API_KEY")
        self._token = token
        self._optimistic_locking = optimistic_locking
        self._view = view
        self._retry_for = retry_for
        self._transport = Transport(self.url, timeout, retry_for, http_options or {})
        self._queues: dict[tuple[int, int], _Queue] = {}

    async def create_session(
        self,
        *,
        app_name: str,
        user_id: str,
        state: dict[str, Any] | None = None,
        session_id: str | None = None,
        ttl: str | None = None,
        expire_time: str | None = None,
        display_name: str | None = None,
        labels: dict[str, str] | None = None,
    ) -> Session:
        """Creates a session.

        Args:
            ttl: how long it lives, in seconds, such as "86400s".
            expire_time: until when it lives, such as "2027-01-01T00:00:00Z".
            display_name: its name, for people.
            labels: to find it again.

        Raises:
            AlreadyExistsError: There is one with this id.
        """
        own_id = (session_id or "").strip()
        new_id = own_id or str(uuid.uuid4())  # made here, so that asking again finds what a lost answer created
        kept = {key: value for key, value in (state or {}).items() if not key.startswith(State.TEMP_PREFIX)}
        details = {"ttl": ttl, "expireTime": expire_time, "displayName": display_name, "labels": labels}
        body = {"sessionId": new_id, "state": kept, **{k: v for k, v in details.items() if v is not None}}
        try:
            response = await self._call("POST", app_name, user_id, "sessions", body=body)
        except AlreadyExistsError:
            created = None
            if not own_id:
                created = await self.get_session(app_name=app_name, user_id=user_id, session_id=new_id)
            if created is None:
                raise
            return created
        return _session(response)

    async def get_session(
        self, *, app_name: str, user_id: str, session_id: str, config: GetSessionConfig | None = None
    ) -> Session | None:
        """Reads a session; None if there is none."""
        params: dict[str, str] = {} if self._view == "full" else {"view": self._view}
        if config and config.num_recent_events is not None:
            params["numRecentEvents"] = str(config.num_recent_events)
        if config and config.after_timestamp is not None:
            params["afterTimestamp"] = str(config.after_timestamp)
        try:
            response = await self._call("GET", app_name, user_id, "sessions", session_id, params=params)
        except SessionNotFoundError:
            return None
        return _session(response)

    async def list_sessions(self, *, app_name: str, user_id: str | None = None) -> ListSessionsResponse:
        """Lists the sessions of a user, or of all users, with their state, the last updated one last."""
        params = {"includeEval": "true"}
        sessions: list[Session] = []
        while True:
            response = await self._call("GET", app_name, user_id, "sessions", params=params)
            sessions += [read_model(_ReadSession, item) for item in response.json()]
            if "X-Next-Page-Token" not in response.headers:
                sessions.sort(key=lambda session: session.last_update_time)  # pages of an app go user by user
                return ListSessionsResponse(sessions=sessions)
            params["pageToken"] = response.headers["X-Next-Page-Token"]

    async def delete_session(self, *, app_name: str, user_id: str, session_id: str) -> None:
        """Deletes a session with its events and its own state. What is not there is no error."""
        await self._call("DELETE", app_name, user_id, "sessions", session_id)

    async def get_user_state(self, *, app_name: str, user_id: str) -> dict[str, Any]:
        """Reads the state that all sessions of a user share, keys without the prefix `user:`."""
        response = await self._call("GET", app_name, user_id, "state")
        state: dict[str, Any] = response.json()
        return state

    async def append_event(self, session: Session, event: Event) -> Event:
        """Appends an event to the stored session, and to the object.

        Raises:
            StaleSessionError: The session has changed since the object was read; nothing was stored. Read the session
                again, look at what came in between, and append to the new object.
            SessionNotFoundError: There is no such session any more.
        """
        if event.partial:
            return event
        async with self._turn(session):
            return await self._append(session, event)

    async def _append(self, session: Session, event: Event) -> Event:
        event.id = event.id or str(uuid.uuid4())  # so that sending it again stores it once
        _move_temp_state(session, event)
        headers, params = self._precondition(session)
        response = await self._call(
            "POST", session.app_name, session.user_id, "sessions", session.id, "events",
            body=event_json(event), headers=headers, params=params,
        )  # fmt: skip
        answer = response.json()
        read = _revision(_entity_tag(session))
        replayed = "Idempotent-Replayed" in response.headers
        if replayed and (answer["revision"] <= read or any(known.id == event.id for known in session.events)):
            return event
        session.state.update(event.actions.state_delta)
        session.events.append(event)
        session.last_update_time = answer["lastUpdateTime"]
        if isinstance(session, _ReadSession) and not (replayed and answer["revision"] != read + 1):
            session._entity_tag = response.headers["ETag"]
        return event

    async def watch(
        self, *, app_name: str, user_id: str, session_id: str, after_seq: int | None = None
    ) -> AsyncIterator[WatchedEvent]:
        """Follows a session: an async generator of its events as they are appended, by whoever appends them.

        Goes on by itself when the connection breaks or the service restarts, without missing or repeating an event, and
        ends when the session is deleted or expires.

        Args:
            after_seq: begins behind this event, 0 for the first; by default with what is appended from now on.

        Raises:
            SessionNotFoundError: There is no such session.
            AgentSessionsError: The service cannot be reached for `retry_for` seconds, or refuses to go on.
        """

        @asynccontextmanager
        async def connect(seq: int | None) -> AsyncIterator[httpx.Response]:
            headers = {"Accept": "text/event-stream", **await self._authorization(app_name, user_id)}
            params = {} if seq is None else {"afterSeq": str(seq)}
            path = _path("apps", app_name, "users", user_id, "sessions", session_id) + "/events:watch"
            async with self._transport.stream("GET", path, headers=headers, params=params) as response:
                yield response

        async for event in Watch(connect, after_seq, self._retry_for).events():
            yield event

    async def close(self) -> None:
        """Closes the connections of the running event loop."""
        await self._transport.close()

    async def __aenter__(self) -> AgentSessionService:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def _precondition(self, session: Session) -> tuple[dict[str, str], dict[str, str]]:
        """What the object has read: its revision, or the time of one that came from a list or another process."""
        if not self._optimistic_locking:
            return {}, {}
        tag = _entity_tag(session)
        if tag:
            return {"If-Match": tag}, {}
        return {}, ({"lastUpdateTime": f"{session.last_update_time:.6f}"} if session.last_update_time else {})

    @asynccontextmanager
    async def _turn(self, session: Session) -> AsyncIterator[None]:
        """Agents that run in parallel append to one object; each append has to know the revision before it."""
        key = (id(asyncio.get_running_loop()), id(session))
        queue = self._queues.setdefault(key, _Queue())
        queue.users += 1
        try:
            async with queue.lock:
                yield
        finally:
            queue.users -= 1
            if not queue.users:
                del self._queues[key]

    async def _call(
        self,
        method: str,
        app_name: str,
        user_id: str | None,
        *rest: str,
        body: dict[str, Any] | None = None,
        headers: dict[str, str] | None = None,
        params: dict[str, str] | None = None,
    ) -> httpx.Response:
        path = _path("apps", app_name, *(() if user_id is None else ("users", user_id)), *rest)
        headers = {**(headers or {}), **await self._authorization(app_name, user_id)}
        content = None
        if body is not None:
            headers["Content-Type"] = "application/json"
            content = json.dumps(jsonable(body), allow_nan=False).encode()
        response = await self._transport.send(method, path, content=content, headers=headers, params=params)
        if not response.is_success:
            raise error_of(response)
        return response

    async def _authorization(self, app_name: str, user_id: str | None) -> dict[str, str]:
        token = self._token(app_name, user_id) if self._token else self._api_key
        if inspect.isawaitable(token):
            token = await token
        return {"Authorization": f"Bearer {token}"} if token else {}


def _path(*names: str) -> str:
    for name in names:
        if name.strip() in ("", ".", ".."):  # would be another path
            raise InvalidRequestError(f"{name!r} cannot be a name or an id")
    return "/" + "/".join(quote(name, safe="") for name in names)


def _session(response: httpx.Response) -> Session:
    session = read_model(_ReadSession, response.json())
    session._entity_tag = response.headers.get("ETag")
    return session


def _entity_tag(session: Session) -> str | None:
    return session._entity_tag if isinstance(session, _ReadSession) else None


def _revision(entity_tag: str | None) -> int:
    return int(entity_tag.strip('"').partition(".")[0]) if entity_tag else -1


def _move_temp_state(session: Session, event: Event) -> None:
    """State of the invocation stays in the object, and goes neither to the service nor into the history."""
    delta = event.actions.state_delta
    session.state.update({key: value for key, value in delta.items() if key.startswith(State.TEMP_PREFIX)})
    event.actions.state_delta = {key: delta[key] for key in delta if not key.startswith(State.TEMP_PREFIX)}
