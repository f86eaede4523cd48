# SPDX-License-Identifier: Apache-2.0
"""ADK's session service over the HTTP API of Agent Sessions: what ADK asks of one, and nothing more."""

import asyncio
import json
import os
import uuid
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Literal
from urllib.parse import quote
from weakref import WeakValueDictionary

import httpx
from google.adk.events.event import Event
from google.adk.sessions.base_session_service import BaseSessionService, GetSessionConfig, ListSessionsResponse
from google.adk.sessions.session import Session
from pydantic import PrivateAttr
from pydantic.alias_generators import to_camel
from typing_extensions import Self

from ._errors import AlreadyExistsError, InvalidRequestError, SessionNotFoundError, StaleSessionError
from ._json import event_json, jsonable, read_event, without_temp
from ._reach import Reach
from ._transport import Transport

#: Gives the bearer token for an app and a user, or for all users of the app (None).
TokenFunction = Callable[[str, str | None], str | Awaitable[str]]

#: Puts the revision and the entity tag into each session of an answer.
_WITH_REVISION = {"includeRevision": "true"}


class ReadSession(Session, extra="ignore"):
    """A session that knows which revision of it was read. So does each copy of it."""

    _revision: int = PrivateAttr()
    _entity_tag: str = PrivateAttr()
    _holder: str | None = PrivateAttr(default=None)  # of the lease under which it is appended to
    _unsure: str | None = PrivateAttr(default=None)  # the event of an append that was cancelled


class SessionService(BaseSessionService):
    """What ADK asks of a session service."""

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
        unavailable_timeout: float = 30.0,
        http_options: Mapping[str, Any] | None = None,
    ) -> None:
        """Says where the service is and how to speak with it. All may be left out.

        Args:
            url: where the service is; by default AGENT_SESSIONS_URL of the environment, else http://localhost:8080.
            api_key: an API key of the service; by default AGENT_SESSIONS_API_KEY of the environment, else none.
            token: gives the bearer token for an app and a user, instead of a key. It is asked before each call, and may
                be async; the user is None where all users of an app are listed.
            optimistic_locking: refuse an append (StaleSessionError) if the session has changed since it was read.
                False appends behind whatever came before.
            view: "context" reads of a session only the events from which ADK builds its prompts: neither what was
                rewound, nor what a summary of ADK's compaction stands for. "full" reads all.
            timeout: seconds to wait for one answer. The service itself gives up after 30.
            retry_for: seconds during which a request is sent again after a lost answer or 429, 502, 503, 504.
            unavailable_timeout: seconds during which a request is sent again while no connection can be made.
            http_options: further arguments of httpx.AsyncClient, such as verify, cert, proxy, limits.

        Raises:
            InvalidRequestError: The URL does not begin with http:// or https://.
        """
        self.url = url = url or os.environ.get("AGENT_SESSIONS_URL") or "http://localhost:8080"
        self._token = token or api_key or os.environ.get("AGENT_SESSIONS_API_KEY")
        self._optimistic_locking = optimistic_locking
        self._view = view
        options = {"timeout": httpx.Timeout(timeout, connect=5.0, pool=None), **(http_options or {}), "base_url": url}
        self._transport = Transport(Reach(url, retry_for, unavailable_timeout), options)
        self._turns: WeakValueDictionary[tuple[int, int], asyncio.Lock] = WeakValueDictionary()

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
        details = {"ttl": ttl, "expireTime": expire_time, "displayName": display_name, "labels": labels}
        body = {"sessionId": new_id, "state": without_temp(state or {}), **details}
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
        asked = config.model_dump(exclude_none=True) if config else {}
        params = {**_WITH_REVISION, "view": self._view, **{to_camel(key): asked[key] for key in asked}}
        try:
            return _session((await self._call("GET", app_name, user_id, "sessions", session_id, params=params)).json())
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
                # Pages of an app go user by user
                return ListSessionsResponse(sessions=sorted(sessions, key=lambda session: session.last_update_time))
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
            StaleSessionError: The session has changed since the object was read, or an append to the object was
                cancelled, which may be stored; nothing was stored now. Read the session again, look at what came in
                between, and append to the new object. The event of the cancelled append may be appended again as it is.
            SessionNotFoundError: There is no such session any more.
            SessionBusyError: It is somebody else's turn, and nobody else may append meanwhile.
            LeaseLostError: The turn in which the object is used has lost its lease.
        """
        if event.partial:
            return event
        async with self._turn(session):
            event.id = event.id or str(uuid.uuid4())  # so that sending it again stores it once
            with self._unsure_if_cancelled(session, event.id):
                response = await self._append(session, "events", body=event_json(event))
            return await self._appended(session, event, response)

    @contextmanager
    def _unsure_if_cancelled(self, session: Session, event_id: str) -> Iterator[None]:
        """Whether an event was stored whose append is cancelled, only the same append tells, or another read."""
        if not isinstance(session, ReadSession) or not self._optimistic_locking:
            yield
            return
        if (before := session._unsure) not in (None, event_id):
            raise StaleSessionError(f"The append of event {before} was cancelled, and may have been stored")
        session._unsure = event_id
        try:
            yield
        except Exception:
            session._unsure = before
            raise
        session._unsure = None

    async def _append(self, session: Session, *rest: str, **request: Any) -> httpx.Response:
        """Appends behind what the object has read."""
        request |= self._precondition(session)
        return await self._call("POST", session.app_name, session.user_id, "sessions", session.id, *rest, **request)

    def _turn(self, session: Session) -> asyncio.Lock:
        """Agents that run in parallel append to one object, and each append has to know the revision before it."""
        return self._turns.setdefault((id(asyncio.get_running_loop()), id(session)), asyncio.Lock())

    async def _appended(self, session: Session, event: Event, response: httpx.Response) -> Event:
        """Does to the object what was done to the stored session."""
        if "Idempotent-Replayed" in response.headers and any(known.id == event.id for known in session.events):
            return event
        answer = response.json()
        session.last_update_time = answer["lastUpdateTime"]
        if isinstance(session, ReadSession) and answer["revision"] == session._revision + 1:
            session._revision, session._entity_tag = answer["revision"], response.headers["ETag"]
        return await super().append_event(session, event)

    async def close(self) -> None:
        """Closes the connections of the running event loop."""
        await self._transport.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def _precondition(self, session: Session) -> dict[str, Any]:
        """What the object has read: its revision, or the time of one that comes from another process."""
        if not self._optimistic_locking:
            return {}
        if isinstance(session, ReadSession):
            return {"headers": {"If-Match": session._entity_tag}}
        return {"params": {"lastUpdateTime": f"{session.last_update_time:.6f}"}} if session.last_update_time else {}

    async def _call(
        self, method: str, app: str, user: str | None, *rest: str, action: str = "", body: Any = None, **request: Any
    ) -> httpx.Response:
        path = path_of("apps", app, *(() if user is None else ("users", user)), *rest) + action
        headers = request.pop("headers", {}) | await self._authorization(app, user)
        if body is not None:
            headers["Content-Type"] = "application/json"
            request["content"] = json.dumps(jsonable(body), allow_nan=False).encode()
        return await self._transport.send(method, path, headers=headers, **request)

    async def _authorization(self, app: str, user: str | None) -> dict[str, str]:
        token = self._token(app, user) if callable(self._token) else self._token
        if isinstance(token, Awaitable):
            token = await token
        return {"Authorization": f"Bearer {token}"} if token else {}


def path_of(*names: str) -> str:
    """The path of what has these names, each of which may have any letters."""
    if any(name.strip() in ("", ".", "..") for name in names):  # would be another path
        raise InvalidRequestError(f"A name or an id cannot be empty, '.' or '..': {names}")
    return "/" + "/".join(quote(name, safe="") for name in names)


def _session(data: dict[str, Any]) -> Session:
    session = ReadSession.model_validate({**data, "events": [read_event(event) for event in data["events"]]})
    session._revision, session._entity_tag = data["revision"], data["etag"]
    return session
