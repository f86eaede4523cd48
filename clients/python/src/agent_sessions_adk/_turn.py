# SPDX-License-Identifier: Apache-2.0
"""One turn at a time: the lease of a session around a run of an agent."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import time
import uuid
import weakref
from collections.abc import Awaitable, Callable
from typing import Any

import httpx
from google.adk.agents.callback_context import CallbackContext
from google.adk.agents.invocation_context import InvocationContext
from google.adk.events.event import Event
from google.adk.models.llm_request import LlmRequest
from google.adk.plugins.base_plugin import BasePlugin
from google.adk.sessions.in_memory_session_service import InMemorySessionService
from google.adk.sessions.session import Session
from google.genai import types

from ._errors import ERRORS, AgentSessionsError, StaleSessionError
from ._life import AgentSessionService
from ._service import ReadSession

_log = logging.getLogger("agent_sessions_adk")


class SessionBusyError(AgentSessionsError, StaleSessionError):
    """It is somebody else's turn at the session. For ADK, which knows nothing of turns, the session is stale.

    Attributes:
        holder: who has the lease of the session.
        expire_time: when it ends if nobody renews it, in seconds since 1970 by the clock of the service's database.
        retry_after: after how many seconds from now that is.
    """

    def __init__(self, message: str, holder: str, expire_time: float, retry_after: int) -> None:
        super().__init__(message, 409, "SESSION_BUSY")
        self.holder, self.expire_time, self.retry_after = holder, expire_time, retry_after


class LeaseLostError(AgentSessionsError):
    """The lease of this turn has ended, or somebody else has taken it. Nothing was stored."""

    def __init__(self, message: str) -> None:
        super().__init__(message, 409, "LEASE_LOST")


def _busy(detail: str, response: httpx.Response) -> Exception:
    problem = response.json()
    wait = int(response.headers["Retry-After"])
    return SessionBusyError(f"{detail}: {problem['holder']}", problem["holder"], problem["expireTime"], wait)


ERRORS["SESSION_BUSY"] = _busy
ERRORS["LEASE_LOST"] = lambda detail, _: LeaseLostError(detail)


class TurnLease:
    """The lease of a session while a turn lasts. Appends to the session object carry its number.

    Args:
        service: where the session is.
        session: the object that the service has read, and that is appended to.
        ttl: seconds after which the lease ends by itself, if this process dies or stops; 1 to 3600. It is renewed
            after a third of it.
        exclusive: refuse all other appends meanwhile, also those that do not care about leases.
        holder: who has it, for others to see; by default this machine and process. Something random is added.
        patience: seconds without a sign of life (see heard) after which it is not renewed any more, so that others need
            not wait for ever. An append after that takes it again, unless somebody else was faster.

    Attributes:
        number: the number of the lease.
        error: why the turn cannot go on.
    """

    def __init__(
        self,
        service: AgentSessionService,
        session: Session,
        *,
        ttl: float = 60.0,
        exclusive: bool = False,
        holder: str | None = None,
        patience: float = 600.0,
    ) -> None:
        if not isinstance(session, ReadSession):
            raise TypeError("The session has to be an object that the AgentSessionService has given")
        self.holder = f"{holder or f'{socket.gethostname()}:{os.getpid()}'}:{uuid.uuid4().hex[:12]}"
        self.number: int | None = None
        self.error: Exception | None = None
        self._service, self._session = service, session
        self._request = {"holder": self.holder, "ttl": f"{ttl:g}s", "exclusive": exclusive}
        self._pause, self._patience = ttl / 3, patience
        self._heard = 0.0
        self._renewing: asyncio.Task[None] | None = None
        self._releasing: asyncio.Task[None] | None = None
        self._granting = asyncio.Lock()

    async def acquire(self) -> None:
        """Takes the lease, if the session is as it was read.

        Raises:
            SessionBusyError: It is somebody else's turn.
            StaleSessionError: The session has changed since it was read.
        """
        self._begin()
        granting = asyncio.create_task(self._grant())
        try:
            await asyncio.shield(granting)
        except asyncio.CancelledError:  # what was asked for is still answered, and given back then
            self._releasing = asyncio.create_task(self._release_after(granting))
            raise
        except BaseException:
            self._end()
            raise
        self._renewing = asyncio.create_task(self._renew())

    def refuse(self, error: Exception) -> None:
        """Makes every append of this turn raise the error."""
        self._begin()
        self.error = _again(error)

    def heard(self) -> None:
        """Tells that the turn goes on."""
        self._heard = time.monotonic()

    def check(self) -> None:
        """Raises what the turn cannot go on for, if anything."""
        if self.error:
            raise _again(self.error)
        self.heard()

    async def append(self, post: Callable[..., Awaitable[httpx.Response]]) -> httpx.Response:
        """Appends with the number of the lease."""
        while True:
            self.check()
            number = self.number
            try:
                return await post(**self._under(number))
            except LeaseLostError:
                await self.regain(number)

    async def regain(self, lost: int | None) -> None:
        """Takes the lease again after its end, unless somebody else has begun a turn or appended since.

        Raises:
            LeaseLostError: Somebody else has.
        """
        async with self._granting:
            if self.error:
                raise _again(self.error)
            if self.number != lost:
                return
            try:
                if not self._service._optimistic_locking:
                    raise StaleSessionError("Nobody can tell what was appended meanwhile")
                await self._grant()
            except Exception as error:
                self.error = LeaseLostError(f"The lease {lost} of this turn has ended: {error}")
                raise _again(self.error) from error

    async def release(self) -> None:
        """Gives the lease back. It does not raise: a lease that is not given back ends by itself."""
        self._end()
        if self.number is None:
            return
        try:
            await self._send(":release", headers={"Lease": str(self.number)})
        except Exception as error:  # the turn is over, whatever the service says
            _log.warning("The lease of %s was not given back, and ends by itself: %s", self._session.id, error)

    async def _release_after(self, granting: asyncio.Task[None]) -> None:
        await asyncio.wait([granting])
        await self.release()

    async def __aenter__(self) -> TurnLease:
        await self.acquire()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.release()

    def _begin(self) -> None:
        self.heard()
        self._session._holder = self.holder
        self._service._leases[self.holder] = self

    def _end(self) -> None:
        self._service._leases.pop(self.holder, None)
        if self._session._holder == self.holder:
            self._session._holder = None
        if self._renewing:
            self._renewing.cancel()

    async def _grant(self) -> None:
        precondition = self._service._precondition(self._session)
        response = await self._send(":acquire", body=self._request, **precondition)
        self.number = response.json()["lease"]

    def _under(self, number: int | None) -> dict[str, Any]:
        request = self._service._precondition(self._session)
        return {**request, "headers": {**request.get("headers", {}), "Lease": str(number)}}

    async def _renew(self) -> None:
        while self.error is None and time.monotonic() - self._heard < self._patience:
            await asyncio.sleep(self._pause)
            number = self.number
            try:
                await self._send(":acquire", body={"ttl": self._request["ttl"]}, headers={"Lease": str(number)})
            except LeaseLostError:
                try:
                    await self.regain(number)
                except LeaseLostError as error:
                    _log.warning("%s", error)
            except Exception as error:  # the service may be back before the lease ends
                _log.warning("The lease of %s was not renewed: %s", self._session.id, error)

    async def _send(self, verb: str, **request: Any) -> httpx.Response:
        names = self._session.app_name, self._session.user_id, "sessions", self._session.id
        return await self._service._call("POST", *names, action=verb, **request)


def _again(error: Exception) -> Exception:
    """The same without the traceback, whose frames would keep a run alive that is over."""
    copy = type(error).__new__(type(error), *error.args)
    copy.__dict__.update(error.__dict__)
    return copy


class TurnLeasePlugin(BasePlugin):
    """Takes the lease of the session around each run of an agent, so that a second run at the same time fails before
    its model is called, and nothing of it is stored.

    Make it the first of the runner's plugins: another one that answers in place of the later ones would hide the run
    from it. Runs on ADK's in-memory service, such as those of AgentTool, are left alone.

    Args:
        ttl, exclusive, holder, patience: as in TurnLease.
        name: the name of the plugin.
    """

    def __init__(
        self,
        *,
        ttl: float = 60.0,
        exclusive: bool = False,
        holder: str | None = None,
        patience: float = 600.0,
        name: str = "turn_lease",
    ) -> None:
        super().__init__(name)
        self._options: dict[str, Any] = {"ttl": ttl, "exclusive": exclusive, "holder": holder, "patience": patience}
        self._runs: dict[int, _Run] = {}

    async def on_user_message_callback(
        self, *, invocation_context: InvocationContext, user_message: types.Content
    ) -> types.Content | None:
        """Before the message is stored. What refuses the turn is raised by the append, as it is."""
        await self._begin(invocation_context)
        return None

    async def before_run_callback(self, *, invocation_context: InvocationContext) -> types.Content | None:
        """Where a run has no message: one that goes on, and a live one."""
        run = await self._begin(invocation_context)
        if run:
            run.turn.check()
        return None

    async def before_model_callback(self, *, callback_context: CallbackContext, llm_request: LlmRequest) -> None:
        """No model is called in a turn that cannot go on."""
        session = callback_context.session
        for run in list(self._runs.values()):
            if run.is_of(session):
                run.turn.check()

    async def on_event_callback(self, *, invocation_context: InvocationContext, event: Event) -> Event | None:
        """A sign of life."""
        run = self._runs.get(id(invocation_context))
        if run:
            run.turn.heard()
        return None

    async def after_run_callback(self, *, invocation_context: InvocationContext) -> None:
        """At the end of a run, also if its caller stopped listening."""
        await self._finish(invocation_context)

    async def on_run_error_callback(self, *, invocation_context: InvocationContext, error: Exception) -> None:
        """At the end of a run that failed."""
        await self._finish(invocation_context)

    async def close(self) -> None:
        """When the runner is closed."""
        for run in list(self._runs.values()):
            await run.finish()
        self._runs.clear()

    async def _begin(self, context: InvocationContext) -> _Run | None:
        key = id(context)
        if key in self._runs:
            return self._runs[key]
        service = context.session_service
        if isinstance(service, InMemorySessionService):
            return None
        if not isinstance(service, AgentSessionService):
            raise TypeError(f"TurnLeasePlugin needs an AgentSessionService, not a {type(service).__name__}")
        run = _Run(TurnLease(service, context.session, **self._options))
        self._runs[key] = run
        # ADK tells nobody of a run that is cancelled
        weakref.finalize(context, self._forget, key).atexit = False
        await run.begin()
        return run

    async def _finish(self, context: InvocationContext) -> None:
        run = self._runs.pop(id(context), None)
        if run:
            await run.finish()

    def _forget(self, key: int) -> None:
        run = self._runs.pop(key, None)
        if run:
            run.abandon()


class _Run:
    """A run of an agent, which takes a turn."""

    def __init__(self, turn: TurnLease) -> None:
        self.turn = turn
        self._loop = asyncio.get_running_loop()
        self._task = asyncio.current_task()
        self._releasing: asyncio.Task[None] | None = None

    def is_of(self, session: Session) -> bool:
        return self.turn._session is session

    async def begin(self) -> None:
        if self._task:
            self._task.add_done_callback(self._on_done)
        try:
            await self.turn.acquire()
        except (AgentSessionsError, ValueError) as error:
            self.turn.refuse(error)

    async def finish(self) -> None:
        if self._task:
            self._task.remove_done_callback(self._on_done)
        await self.turn.release()

    def abandon(self) -> None:
        """Whatever thread collects the garbage, the lease is given back where the run was."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._release)

    def _on_done(self, _: object) -> None:
        self._release()

    def _release(self) -> None:
        if self._releasing is None:
            self._releasing = self._loop.create_task(self.finish())
