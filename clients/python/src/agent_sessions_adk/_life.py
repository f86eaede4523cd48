# SPDX-License-Identifier: Apache-2.0
"""ADK's session service, and more: the past of a session, what happens in it, what it waits for, and turns."""

from __future__ import annotations

import uuid
from collections.abc import AsyncGenerator
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import httpx
from google.adk.events.event import Event
from google.adk.sessions.base_session_service import GetSessionConfig
from google.adk.sessions.session import Session

from ._errors import AlreadyExistsError, SessionNotFoundError
from ._history import ExplainedState
from ._json import read_event
from ._pending import PendingCall
from ._service import SessionService, path_of
from ._watch import Watch, WatchedEvent

if TYPE_CHECKING:
    from ._turn import TurnLease


class _PastConfig(GetSessionConfig):
    """What is read of a session as it was."""

    at_seq: int


class AgentSessionService(SessionService):
    """Keeps the sessions of ADK's agents in Agent Sessions."""

    async def session_at(
        self, *, app_name: str, user_id: str, session_id: str, at_seq: int, config: GetSessionConfig | None = None
    ) -> Session | None:
        """Reads a session as it was right after an event, 0 for its beginning; None if there is none.

        Appending to it raises StaleSessionError, unless that is the newest event.

        Raises:
            InvalidRequestError: The session does not have so many events.
        """
        past = _PastConfig(at_seq=at_seq, **(config.model_dump() if config else {}))
        return await self.get_session(app_name=app_name, user_id=user_id, session_id=session_id, config=past)

    async def state_at(
        self, *, app_name: str, user_id: str, session_id: str, at_seq: int | None = None
    ) -> ExplainedState:
        """Explains the state that a session has, or had right after an event: which event set which key.

        Raises:
            SessionNotFoundError: There is no such session.
            InvalidRequestError: It does not have so many events.
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
        """Creates a session as a copy of another one of the user, which stays as it is.

        Args:
            at_seq: up to this event, 0 for none.
            before_invocation_id: up to the event before the first one of this invocation. Without either, all events.
            new_session_id: the id of the copy; by default a new one.
            display_name: its name, for people; by default that of the session.

        Raises:
            SessionNotFoundError: There is no such session.
            AlreadyExistsError: There is one with the new id.
            AgentSessionsError: It has no such invocation (code INVOCATION_NOT_FOUND).
        """
        own_id = (new_session_id or "").strip()
        new_id = own_id or str(uuid.uuid4())  # made here, so that asking again finds what a lost answer created
        wishes = {"atSeq": at_seq, "beforeInvocationId": before_invocation_id, "displayName": display_name}
        body = {"sessionId": new_id, **{key: value for key, value in wishes.items() if value is not None}}
        params = {"numRecentEvents": "0"}  # the answer is read below, in the view of this service
        try:
            await self._call(
                "POST", app_name, user_id, "sessions", session_id, action=":fork", body=body, params=params
            )
        except AlreadyExistsError:
            if own_id:
                raise
        forked = await self.get_session(app_name=app_name, user_id=user_id, session_id=new_id)
        if forked is None:
            raise SessionNotFoundError(f"Session not found: {new_id}")
        return forked

    async def rewind(self, session: Session, before_invocation_id: str) -> Event:
        """Takes a session back to before an invocation: appends ADK's rewind event, to the object, too.

        ADK's `Runner.rewind_async` takes artifacts back as well, but reads the whole session for it, and does not know
        the state that the session was created with.

        Raises:
            StaleSessionError: The session has changed since the object was read; nothing was stored.
            SessionNotFoundError: There is no such session any more.
            AgentSessionsError: It has no such invocation (code INVOCATION_NOT_FOUND).
        """
        event_id = str(uuid.uuid4())
        body = {"beforeInvocationId": before_invocation_id, "eventId": event_id}
        async with self._turn(session):
            with self._unsure_if_cancelled(session, event_id):
                response = await self._append(session, action=":rewind", body=body)
            return await self._appended(session, read_event(response.json()["event"]), response)

    def watch(
        self, *, app_name: str, user_id: str, session_id: str, after_seq: int | None = None
    ) -> AsyncGenerator[WatchedEvent, None]:
        """Follows a session: an async generator of its events as they are appended, by whichever process appends them.

        Goes on by itself when the connection breaks or the service restarts, without missing or repeating an event, and
        ends when the session is deleted or expires. `aclose()` ends it earlier, and its connection with it.

        Args:
            after_seq: begins behind this event, 0 for the first; by default with what is appended from now on.

        Raises:
            SessionNotFoundError: There is no such session.
            AgentSessionsError: The service cannot be reached (code UNAVAILABLE), or refuses to go on.
        """
        path = path_of("apps", app_name, "users", user_id, "sessions", session_id) + "/events:watch"
        return Watch(self._transport, path, partial(self._authorization, app_name, user_id), after_seq).events()

    async def pending_calls(self, *, app_name: str, user_id: str, session_id: str) -> list[PendingCall]:
        """Lists the function calls of a session that wait for somebody's answer, the oldest first.

        A call that an event names in its `long_running_tool_ids` waits until an event of the author `user` has a
        function response with its id, or a rewind takes the call back.

        Raises:
            SessionNotFoundError: There is no such session.
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
        """Under which leases is appended, by their holders."""
        return {}

    async def _append(self, session: Session, *rest: str, **request: Any) -> httpx.Response:
        """Appends behind what the object has read, or under the lease of the turn in which it is used."""
        lease = self._leases.get(getattr(session, "_holder", None))
        if lease is None:
            return await super()._append(session, *rest, **request)
        names = session.app_name, session.user_id, "sessions", session.id
        return await lease.append(partial(self._call, "POST", *names, *rest, **request))
