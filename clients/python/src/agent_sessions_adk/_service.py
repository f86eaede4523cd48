# SPDX-License-Identifier: Apache-2.0
"""ADK's session service over the HTTP API of Agent Sessions."""

import asyncio
import json
import os
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import quote
from weakref import WeakValueDictionary

import httpx
from google.adk.events.event import Event
from google.adk.sessions.base_session_service import BaseSessionService, GetSessionConfig, ListSessionsResponse
from google.adk.sessions.session import Session
from google.adk.sessions.state import State
from pydantic import PrivateAttr

from ._errors import AlreadyExistsError, InvalidRequestError, SessionNotFoundError
from ._history import HistoryMethods
from ._json import event_json, jsonable, read_event
from ._transport import Transport
from ._watch import Watch, WatchedEvent

if TYPE_CHECKING:
    from ._turn import TurnLease

#: Gives the bearer token for an app and a user, or for all users of the app (None).
TokenFunction = Callable[[str, str | None], str | Awaitable[str]]

#: Puts the revision and the entity tag into each session of an answer.
_WITH_REVISION = {"includeRevision": "true"}


class _ReadSession(Session):
    """A session that knows which revision of it was read. So does each copy of it."""

    _revision: int = PrivateAttr()
    _entity_tag: str = PrivateAttr()
    _holder: str | None = PrivateAttr(default=None)  # of the lease under which it is appended to


class AgentSessionService(HistoryMethods, BaseSessionService):
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
        self.url = url = url or os.environ.get("AGENT_SESSIONS_URL") or "http://localhost:8080"
        self._api_key = api_key or os.environ.get("AGENT_SESSIONS_API_KEY")
        self._token = token
        self._optimistic_locking = optimistic_locking
        self._view = {} if view == "full" else {"view": view}
        options = {"timeout": httpx.Timeout(timeout, connect=5.0, pool=None), **(http_options or {}), "base_url": url}
        self._transport = Transport(retry_for, options)
        self._turns: WeakValueDictionary[tuple[int, int], asyncio.Lock] = WeakValueDictionary()
        self._leases: dict[str | None, TurnLease] = {}

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
            response = await self._call("POST", app_name, user_id, "sessions", body=body, params=_WITH_REVISION)
            return _session(response.json())
        except AlreadyExistsError:
            if not own_id and (found := await self.get_session(app_name=app_name, user_id=user_id, session_id=new_id)):
                return found
            raise

    async def get_session(
        self, *, app_name: str, user_id: str, session_id: str, config: GetSessionConfig | None = None
    ) -> Session | None:
        """Reads a session; None if there is none."""
        return await self._get(app_name, user_id, session_id, config, {})

    async def _get(
        self, app_name: str, user_id: str, session_id: str, config: GetSessionConfig | None, more: dict[str, str]
    ) -> Session | None:
        config = config or GetSessionConfig()
        window = {"numRecentEvents": config.num_recent_events, "afterTimestamp": config.after_timestamp}
        asked = {key: str(value) for key, value in window.items() if value is not None}
        params = _WITH_REVISION | self._view | asked | more
        try:
            response = await self._call("GET", app_name, user_id, "sessions", session_id, params=params)
            return _session(response.json())
        except SessionNotFoundError:
            return None

    async def list_sessions(self, *, app_name: str, user_id: str | None = None) -> ListSessionsResponse:
        """Lists the sessions of a user, or of all users, with their state, the last updated one last."""
        params = {"includeEval": "true", **_WITH_REVISION}
        sessions: list[Session] = []
        while True:
            response = await self._call("GET", app_name, user_id, "sessions", params=params)
            sessions += [_session(item) for item in response.json()]
            if "X-Next-Page-Token" not in response.headers:
                sessions.sort(key=lambda session: session.last_update_time)  # pages of an app go user by user
                return ListSessionsResponse(sessions=sessions)
            params["pageToken"] = response.headers["X-Next-Page-Token"]

    async def delete_session(self, *, app_name: str, user_id: str, session_id: str) -> None:
        """Deletes a session with its events and its own state. What is not there is no error."""
        await self._call("DELETE", app_name, user_id, "sessions", session_id)

    async def get_user_state(self, *, app_name: str, user_id: str) -> dict[str, Any]:
        """Reads the state that all sessions of a user share, keys without the prefix `user:`."""
        return dict((await self._call("GET", app_name, user_id, "state")).json())

    async def append_event(self, session: Session, event: Event) -> Event:
        """Appends an event to the stored session, and to the object.

        Raises:
            StaleSessionError: The session has changed since the object was read; nothing was stored. Read the session
                again, look at what came in between, and append to the new object.
            SessionNotFoundError: There is no such session any more.
            SessionBusyError: It is somebody else's turn, and nobody else may append meanwhile.
            LeaseLostError: The turn in which the object is used has lost its lease.
        """
        if event.partial:
            return event
        async with self._turn(session):
            event.id = event.id or str(uuid.uuid4())  # so that sending it again stores it once
            _move_temp_state(session, event)
            return self._appended(session, event, await self._append(session, "events", body=event_json(event)))

    async def _append(self, session: Session, *rest: str, **request: Any) -> httpx.Response:
        """Appends behind what the object has read, and under the lease of the turn in which it is used."""
        post = partial(self._call, "POST", session.app_name, session.user_id, "sessions", session.id, *rest, **request)
        lease = self._leases.get(getattr(session, "_holder", None))
        return await (lease.append(post) if lease else post(**self._precondition(session)))

    def _turn(self, session: Session) -> asyncio.Lock:
        """Agents that run in parallel append to one object, and each append has to know the revision before it."""
        return self._turns.setdefault((id(asyncio.get_running_loop()), id(session)), asyncio.Lock())

    def _appended(self, session: Session, event: Event, response: httpx.Response) -> Event:
        """Does to the object what was done to the stored session."""
        if "Idempotent-Replayed" in response.headers and any(known.id == event.id for known in session.events):
            return event
        answer = response.json()
        session.state.update(event.actions.state_delta)
        session.events.append(event)
        session.last_update_time = answer["lastUpdateTime"]
        if isinstance(session, _ReadSession) and answer["revision"] == session._revision + 1:
            session._revision, session._entity_tag = answer["revision"], response.headers["ETag"]
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
        path = _path("apps", app_name, "users", user_id, "sessions", session_id) + "/events:watch"
        watch = Watch(self._transport, path, partial(self._authorization, app_name, user_id), after_seq)
        async for event in watch.events():
            yield event

    async def close(self) -> None:
        """Closes the connections of the running event loop."""
        await self._transport.close()

    async def __aenter__(self) -> "AgentSessionService":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def _precondition(self, session: Session) -> dict[str, Any]:
        """What the object has read: its revision, or the time of one that comes from another process."""
        if not self._optimistic_locking:
            return {}
        if isinstance(session, _ReadSession):
            return {"headers": {"If-Match": session._entity_tag}}
        return {"params": {"lastUpdateTime": f"{session.last_update_time:.6f}"}} if session.last_update_time else {}

    async def _call(
        self,
        method: str,
        app_name: str,
        user_id: str | None,
        *rest: str,
        action: str = "",
        body: Any = None,
        **request: Any,
    ) -> httpx.Response:
        path = _path("apps", app_name, *(() if user_id is None else ("users", user_id)), *rest) + action
        headers = request.pop("headers", {}) | await self._authorization(app_name, user_id)
        if body is not None:
            headers["Content-Type"] = "application/json"
            request["content"] = json.dumps(jsonable(body), allow_nan=False).encode()
        return await self._transport.send(method, path, headers=headers, **request)

    async def _authorization(self, app_name: str, user_id: str | None) -> dict[str, str]:
        token = self._token(app_name, user_id) if self._token else self._api_key
        if isinstance(token, Awaitable):
            token = await token
        return {"Authorization": f"Bearer {token}"} if token else {}


def _path(*names: str) -> str:
    for name in names:
        if name.strip() in ("", ".", ".."):  # would be another path
            raise InvalidRequestError(f"{name!r} cannot be a name or an id")
    return "/" + "/".join(quote(name, safe="") for name in names)


def _session(data: dict[str, Any]) -> Session:
    known = {name: data[name] for name in ("id", "appName", "userId", "state", "lastUpdateTime")}
    session = _ReadSession.model_validate({**known, "events": [read_event(event) for event in data["events"]]})
    session._revision, session._entity_tag = data["revision"], data["etag"]
    return session


def _move_temp_state(session: Session, event: Event) -> None:
    """State of the invocation stays in the object, and goes neither to the service nor into the history."""
    delta = event.actions.state_delta
    session.state.update({key: value for key, value in delta.items() if key.startswith(State.TEMP_PREFIX)})
    event.actions.state_delta = {key: delta[key] for key in delta if not key.startswith(State.TEMP_PREFIX)}
