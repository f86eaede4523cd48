# SPDX-License-Identifier: Apache-2.0
"""ADK's session service over the HTTP API of Agent Sessions: only the methods of ADK's interface."""

import asyncio
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Literal
from weakref import WeakValueDictionary

import httpx
from google.adk.events.event import Event
from google.adk.sessions.base_session_service import BaseSessionService, GetSessionConfig, ListSessionsResponse
from google.adk.sessions.session import Session
from pydantic import PrivateAttr
from pydantic.alias_generators import to_camel

from ._client import Client, TokenFunction, retry_key
from ._current import talks_in
from ._errors import SessionNotFoundError, StaleSessionError
from ._json import event_json, without_temp
from ._reading import read_event

#: Requests the revision and the entity tag of each session in a response.
_WITH_REVISION = {"includeRevision": "true"}


class ReadSession(Session, extra="ignore"):
    """A session that stores the revision that the service has read. Each copy stores it, too."""

    _revision: int = PrivateAttr()
    _entity_tag: str = PrivateAttr()
    _holder: str | None = PrivateAttr(default=None)  # the holder of the lease for appends to this object
    _unsure: str | None = PrivateAttr(default=None)  # the id of the event whose append was cancelled


class SessionService(Client, BaseSessionService):
    """The methods of ADK's session service."""

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
        """Sets the address of the service and the settings of the client. All arguments are optional.

        Args:
            url: the address of the service; by default $AGENT_SESSIONS_URL, else http://localhost:8080.
            api_key: an API key of the service; by default $AGENT_SESSIONS_API_KEY, else none.
            token: returns the bearer token for an app and a user, instead of a key. The client calls it before each
                request. It may be async. The user is None for a list of the sessions of all users.
            optimistic_locking: refuse an append (StaleSessionError) if the session has changed since it was read.
                False appends after any events of other writers.
            view: "context" reads only the events of a session from which ADK builds its prompts. It leaves out events
                that were rewound, and events that a summary of ADK's compaction replaces. "full" reads all events.
            timeout: seconds to wait for one response. The service itself times out after 30 seconds.
            retry_for: seconds during which the client retries a request after a lost response or 429, 502, 503, 504.
            unavailable_timeout: seconds during which the client retries a request while it cannot connect.
            http_options: further arguments of httpx.AsyncClient, such as verify, cert, proxy, limits.

        Raises:
            InvalidRequestError: The URL does not begin with http:// or https://.
        """
        super().__init__(url, token or api_key, timeout, retry_for, unavailable_timeout, http_options)
        self._optimistic_locking = optimistic_locking
        self._view = view
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
            ttl: the time until the session expires, in seconds, such as "86400s".
            expire_time: the time when the session expires, such as "2027-01-01T00:00:00Z".
            display_name: the display name of the session.
            labels: labels to find the session by.

        Raises:
            AlreadyExistsError: A session with this id exists.
        """
        details = {"ttl": ttl, "expireTime": expire_time, "displayName": display_name, "labels": labels}
        body = {"sessionId": (session_id or "").strip(), "state": without_temp(state or {}), **details}
        response = await self._call(
            "POST", app_name, user_id, "sessions", body=body, params=_WITH_REVISION, headers=retry_key()
        )
        return _session(response.json())

    async def get_session(
        self, *, app_name: str, user_id: str, session_id: str, config: GetSessionConfig | None = None
    ) -> Session | None:
        """Reads a session; returns None if it does not exist."""
        asked = config.model_dump(exclude_none=True) if config else {}
        params = {**_WITH_REVISION, "view": self._view, **{to_camel(key): asked[key] for key in asked}}
        try:
            return _session((await self._call("GET", app_name, user_id, "sessions", session_id, params=params)).json())
        except SessionNotFoundError:
            return None

    async def list_sessions(self, *, app_name: str, user_id: str | None = None) -> ListSessionsResponse:
        """Lists the sessions of a user, or of all users, with their state, in the order of their last update."""
        params = {"includeEval": "true", **_WITH_REVISION}
        sessions: list[Session] = []
        while True:
            response = await self._call("GET", app_name, user_id, "sessions", params=params)
            sessions += [_session(item) for item in response.json()]
            if "X-Next-Page-Token" not in response.headers:
                # The pages of an app are in the order of its users
                return ListSessionsResponse(sessions=sorted(sessions, key=lambda session: session.last_update_time))
            params["pageToken"] = response.headers["X-Next-Page-Token"]

    async def delete_session(self, *, app_name: str, user_id: str, session_id: str) -> None:
        """Deletes a session with its events and its own state. Succeeds if the session does not exist."""
        await self._call("DELETE", app_name, user_id, "sessions", session_id)

    async def get_user_state(self, *, app_name: str, user_id: str) -> dict[str, Any]:
        """Reads the state that all sessions of a user share, keys without the prefix `user:`."""
        return dict((await self._call("GET", app_name, user_id, "state")).json())

    async def append_event(self, session: Session, event: Event) -> Event:
        """Appends an event to the stored session, and to the object.

        Raises:
            StaleSessionError: The session has changed since the service read the object, or an earlier append to the
                object was cancelled and may be stored. This append stored nothing. Read the session again, check the
                new events, and append to the new object. The event of the cancelled append may be
                appended again unchanged.
            SessionNotFoundError: The session no longer exists.
            SessionBusyError: Another holder has an exclusive lease of the session.
            LeaseLostError: The turn in which the object is used has lost its lease.
        """
        if event.partial:
            return event
        if event.author == "user":
            talks_in(session)
        async with self._turn(session):
            event.id = event.id or str(uuid.uuid4())  # a retry stores an event with the same id only once
            with self._unsure_if_cancelled(session, event.id):
                response = await self._append(session, "events", body=event_json(event))
            return await self._appended(session, event, response)

    @contextmanager
    def _unsure_if_cancelled(self, session: Session, event_id: str) -> Iterator[None]:
        """Blocks appends of other events after a cancelled append, which may be stored. A retry or a read finds out."""
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
        """Appends after the events that the object has read."""
        request |= self._precondition(session)
        return await self._call("POST", session.app_name, session.user_id, "sessions", session.id, *rest, **request)

    def _turn(self, session: Session) -> asyncio.Lock:
        """Serialises appends to one object: parallel agents share it, and each append needs the revision before it."""
        return self._turns.setdefault((id(asyncio.get_running_loop()), id(session)), asyncio.Lock())

    async def _appended(self, session: Session, event: Event, response: httpx.Response) -> Event:
        """Applies a stored append to the session object."""
        if "Idempotent-Replayed" in response.headers and any(known.id == event.id for known in session.events):
            return event
        answer = response.json()
        session.last_update_time = answer["lastUpdateTime"]
        if isinstance(session, ReadSession) and answer["revision"] == session._revision + 1:
            session._revision, session._entity_tag = answer["revision"], response.headers["ETag"]
        return await super().append_event(session, event)

    def _precondition(self, session: Session) -> dict[str, Any]:
        """Returns what the object has read: its entity tag, or the last update time if this service did not read it."""
        if not self._optimistic_locking:
            return {}
        if isinstance(session, ReadSession):
            return {"headers": {"If-Match": session._entity_tag}}
        return {"params": {"lastUpdateTime": f"{session.last_update_time:.6f}"}} if session.last_update_time else {}


def _session(data: dict[str, Any]) -> Session:
    events = [read_event(event, data["id"]) for event in data["events"]]
    session = ReadSession.model_validate({**data, "events": events})
    session._revision, session._entity_tag = data["revision"], data["etag"]
    return session
