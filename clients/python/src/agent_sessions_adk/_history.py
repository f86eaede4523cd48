# SPDX-License-Identifier: Apache-2.0
"""What the session service can do beyond ADK's: read sessions as they were, fork them, and rewind them."""

import asyncio
import uuid
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import httpx
from google.adk.events.event import Event
from google.adk.sessions.base_session_service import GetSessionConfig
from google.adk.sessions.session import Session

from ._errors import AlreadyExistsError, SessionNotFoundError
from ._json import read_event


@dataclass(frozen=True)
class StateSource:
    """The event that gave a key its value."""

    seq: int
    event_id: str
    author: str
    timestamp: float


@dataclass(frozen=True)
class ExplainedValue:
    """A key of the state.

    Attributes:
        scope: whose it is: session, user or app.
        value: its value.
        event: the event of this session that set it; None if it was there when the session was created, or somebody
            else has set it.
    """

    scope: str
    value: Any
    event: StateSource | None


@dataclass(frozen=True)
class ExplainedState:
    """The state of a session at one moment.

    Attributes:
        seq: right after this event, 0 for the beginning.
        initial_state_kept: False for a session that is older than the service's memory for initial states: keys of it
            that an event has set later are missing.
        shared_state_current: whether `user:` and `app:` keys have their values of today, whoever set them; if not, they
            are those that this session had set by then.
        keys: the keys, shared ones under their prefix.
    """

    seq: int
    initial_state_kept: bool
    shared_state_current: bool
    keys: dict[str, ExplainedValue]

    @property
    def state(self) -> dict[str, Any]:
        """The values alone, as an agent reads them."""
        return {key: explained.value for key, explained in self.keys.items()}


class HistoryMethods(ABC):
    """The methods of AgentSessionService about the past."""

    async def session_at(
        self, *, app_name: str, user_id: str, session_id: str, at_seq: int, config: GetSessionConfig | None = None
    ) -> Session | None:
        """Reads a session as it was right after an event, 0 for its beginning; None if there is none.

        Appending to it raises StaleSessionError, unless that is the newest event.

        Raises:
            InvalidRequestError: The session does not have so many events.
        """
        return await self._get(app_name, user_id, session_id, config, {"atSeq": str(at_seq)})

    async def state_at(
        self, *, app_name: str, user_id: str, session_id: str, at_seq: int | None = None
    ) -> ExplainedState:
        """Explains the state that a session has, or had right after an event: which event set which key.

        Raises:
            SessionNotFoundError: There is no such session.
            InvalidRequestError: It does not have so many events.
        """
        params = {} if at_seq is None else {"atSeq": str(at_seq)}
        response = await self._call("GET", app_name, user_id, "sessions", session_id, "state", params=params)
        answer = response.json()
        return ExplainedState(
            seq=answer["seq"],
            initial_state_kept=answer["initialStateKept"],
            shared_state_current=answer["sharedStateCurrent"],
            keys={key: _explained(value) for key, value in answer["state"].items()},
        )

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
        forked = await self._get(app_name, user_id, new_id, None, {})
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
        body = {"beforeInvocationId": before_invocation_id, "eventId": str(uuid.uuid4())}
        async with self._turn(session):
            response = await self._append(session, action=":rewind", body=body)
            return self._appended(session, read_event(response.json()["event"]), response)

    @abstractmethod
    async def _call(
        self,
        method: str,
        app_name: str,
        user_id: str | None,
        *rest: str,
        action: str = "",
        body: Any = None,
        **request: Any,
    ) -> httpx.Response: ...

    @abstractmethod
    async def _get(
        self, app_name: str, user_id: str, session_id: str, config: GetSessionConfig | None, more: dict[str, str]
    ) -> Session | None: ...

    @abstractmethod
    def _turn(self, session: Session) -> asyncio.Lock: ...

    @abstractmethod
    async def _append(self, session: Session, *rest: str, **request: Any) -> httpx.Response: ...

    @abstractmethod
    def _appended(self, session: Session, event: Event, response: httpx.Response) -> Event: ...


def _explained(value: dict[str, Any]) -> ExplainedValue:
    event = value["event"]
    source = event and StateSource(event["seq"], event["eventId"], event["author"], event["timestamp"])
    return ExplainedValue(value["scope"], value["value"], source)
