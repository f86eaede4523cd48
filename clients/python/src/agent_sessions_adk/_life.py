# SPDX-License-Identifier: Apache-2.0
"""ADK's session service, with time travel, forks, rewinds, watches, pending calls and leases."""

from __future__ import annotations

import uuid
from collections.abc import AsyncGenerator
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import httpx
from google.adk.events.event import Event
from google.adk.sessions.base_session_service import GetSessionConfig
from google.adk.sessions.session import Session

from ._client import path_of, retry_key
from ._errors import SessionNotFoundError
from ._history import ExplainedState
from ._pending import PendingCall
from ._reading import read_event
from ._service import SessionService
from ._watch import Watch, WatchedEvent

if TYPE_CHECKING:
    from ._turn import TurnLease


class _PastConfig(GetSessionConfig):
    """Which events to read of a past session."""

    at_seq: int


class AgentSessionService(SessionService):
    """Stores the sessions of ADK's agents in Agent Sessions."""

    async def session_at(
        self, *, app_name: str, user_id: str, session_id: str, at_seq: int, config: GetSessionConfig | None = None
    ) -> Session | None:
        """Reads a session as it was right after an event, 0 for its start; returns None if it does not exist.

        An append to this object raises StaleSessionError, unless the event is the newest one.

        Raises:
            InvalidRequestError: The session has fewer events.
        """
        past = _PastConfig(at_seq=at_seq, **(config.model_dump() if config else {}))
        return await self.get_session(app_name=app_name, user_id=user_id, session_id=session_id, config=past)

    async def state_at(
        self, *, app_name: str, user_id: str, session_id: str, at_seq: int | None = None
    ) -> ExplainedState:
        """Explains the current state of a session, or its state right after an event: which event set which key.

        Raises:
            SessionNotFoundError: The session does not exist.
            InvalidRequestError: The session has fewer events.
        """
        params = {} if at_seq is None else {"atSeq": at_seq}
        response = await self._call("GET", app_name, user_id, "sessions", session_id, "state", params=params)
        return ExplainedState.of(response.json())

    async def fork(
        self,
        *,
        app_name: str,
        user_id: str,
        session_id: str,
        at_seq: int | None = None,
        before_invocation_id: str | None = None,
        new_session_id: str | None = None,
        display_name: str | None = None,
    ) -> Session:
        """Creates a session as a copy of another session of the user. The other session does not change.

        Args:
            at_seq: copies up to this event, 0 for none.
            before_invocation_id: copies up to the event before the first event of this invocation. Without either
                argument, all events are copied.
            new_session_id: the id of the copy; by default a generated id.
            display_name: the display name of the copy; by default the name of the session.

        Raises:
            SessionNotFoundError: The session does not exist.
            AlreadyExistsError: A session with the new id exists.
            AgentSessionsError: The session does not have the invocation (code INVOCATION_NOT_FOUND).
        """
        wishes = {"atSeq": at_seq, "beforeInvocationId": before_invocation_id, "displayName": display_name}
        body = {key: value for key, value in wishes.items() if value is not None}
        body["sessionId"] = (new_session_id or "").strip()
        params = {"numRecentEvents": "0"}  # the session is read below, with the view of this service
        names = (app_name, user_id, "sessions", session_id)
        response = await self._call("POST", *names, action=":fork", body=body, params=params, headers=retry_key())
        new_id = response.json()["id"]
        forked = await self.get_session(app_name=app_name, user_id=user_id, session_id=new_id)
        if forked is None:
            raise SessionNotFoundError(f"Session not found: {new_id}")
        return forked

    async def rewind(self, session: Session, before_invocation_id: str) -> Event:
        """Takes a session back to before an invocation: appends ADK's rewind event to the session and the object.

        ADK's `Runner.rewind_async` also takes artifacts back. But it reads the whole session, and does not know the
        initial state of the session.

        Raises:
            StaleSessionError: The session has changed since the service read the object; nothing was stored.
            SessionNotFoundError: The session no longer exists.
            AgentSessionsError: The session does not have the invocation (code INVOCATION_NOT_FOUND).
        """
        event_id = str(uuid.uuid4())
        body = {"beforeInvocationId": before_invocation_id, "eventId": event_id}
        async with self._turn(session):
            with self._unsure_if_cancelled(session, event_id):
                response = await self._append(session, action=":rewind", body=body)
            return await self._appended(session, read_event(response.json()["event"], session.id), response)

    def watch(
        self, *, app_name: str, user_id: str, session_id: str, after_seq: int | None = None
    ) -> AsyncGenerator[WatchedEvent, None]:
        """Follows a session: returns an async generator of the events that any process appends.

        Reconnects when the connection breaks or the service restarts, without missing or repeating an event. Ends when
        the session is deleted or expires. `aclose()` ends it earlier and closes its connection.

        Args:
            after_seq: begins after this event, 0 for the first event; by default with the events from now on.

        Raises:
            SessionNotFoundError: The session does not exist.
            AgentSessionsError: The client cannot reach the service (code UNAVAILABLE), or the service refuses it.
        """
        path = path_of("apps", app_name, "users", user_id, "sessions", session_id) + "/events:watch"
        return Watch(self._transport, path, partial(self._authorization, app_name, user_id), after_seq).events()

    async def pending_calls(self, *, app_name: str, user_id: str, session_id: str) -> list[PendingCall]:
        """Lists the function calls of a session that wait for a function response, the oldest first.

        A call in the `long_running_tool_ids` of an event waits until an event of the author `user` has a function
        response with its id, or until a rewind takes the call back.

        Raises:
            SessionNotFoundError: The session does not exist.
        """
        calls: list[PendingCall] = []
        params: dict[str, str] = {}
        while True:
            response = await self._call("GET", app_name, user_id, "sessions", session_id, "pending", params=params)
            page = response.json()
            calls += [PendingCall.of(item) for item in page["pending"]]
            if "nextPageToken" not in page:
                return calls
            params["pageToken"] = page["nextPageToken"]

    @cached_property
    def _leases(self) -> dict[str | None, TurnLease]:
        """The leases for appends, by their holders."""
        return {}

    async def _append(self, session: Session, *rest: str, **request: Any) -> httpx.Response:
        """Appends after the events that the object has read, and under its lease, if any."""
        lease = self._leases.get(getattr(session, "_holder", None))
        if lease is None:
            return await super()._append(session, *rest, **request)
        names = session.app_name, session.user_id, "sessions", session.id
        return await lease.append(partial(self._call, "POST", *names, *rest, **request))
