# SPDX-License-Identifier: Apache-2.0
"""Leases of sessions: a run of an agent holds the lease, so that only one turn runs at a time."""

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
    """Another holder has the lease of the session. ADK does not know leases, so this is also a StaleSessionError.

    Attributes:
        holder: the name of the holder of the lease.
        expire_time: when the lease ends without a renewal, in seconds since 1970 by the clock of the database.
        retry_after: seconds from now until then.
    """

    def __init__(self, message: str, holder: str, expire_time: float, retry_after: int) -> None:
        super().__init__(message, 409, "SESSION_BUSY")
        self.holder, self.expire_time, self.retry_after = holder, expire_time, retry_after


class LeaseLostError(AgentSessionsError):
    """The lease of this turn has ended, or another holder has taken it. Nothing was stored."""

    def __init__(self, message: str) -> None:
        super().__init__(message, 409, "LEASE_LOST")


def _busy(detail: str, response: httpx.Response) -> Exception:
    problem = response.json()
    wait = int(response.headers["Retry-After"])
    return SessionBusyError(f"{detail}: {problem['holder']}", problem["holder"], problem["expireTime"], wait)


ERRORS["SESSION_BUSY"] = _busy
ERRORS["LEASE_LOST"] = lambda detail, _: LeaseLostError(detail)


class TurnLease:
    """The lease of a session during a turn. Appends to the session object send its number.

    Args:
        service: the service of the session.
        session: the object that the service has read, and that the turn appends to.
        ttl: seconds that the lease lasts without a renewal, for example if this process stops; 1 to 3600. The client
            renews it after a third of this time.
        exclusive: whether the service refuses all other appends during the lease, including appends without a lease.
        holder: the name of the holder, which other clients see; by default this machine and process. The client adds a
            random suffix.
        patience: seconds without activity (see heard) after which the client stops renewing the lease, so that other
            holders can take it. A later append takes it again, unless another holder was faster.

    Attributes:
        number: the number of the lease.
        error: the reason why the turn cannot continue, or None.
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
        """Takes the lease, if the session has not changed since the service read it.

        Raises:
            SessionBusyError: Another holder has the lease.
            StaleSessionError: The session has changed since the service read it.
        """
        self._begin()
        granting = asyncio.create_task(self._grant())
        try:
            await asyncio.shield(granting)
        except asyncio.CancelledError:  # the request goes on, and the lease is released after its response
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
        """Records activity of the turn."""
        self._heard = time.monotonic()

    def check(self) -> None:
        """Raises the error of the turn, if any; else records activity."""
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
        """Takes the lease again after its end, unless another writer has taken it or appended since.

        Raises:
            LeaseLostError: Another writer has.
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
        """Releases the lease. It does not raise: a lease that is not released ends by itself."""
        self._end()
        if self.number is None:
            return
        try:
            await self._send(":release", headers={"Lease": str(self.number)})
        except Exception as error:  # the turn is over, even if the release fails
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
            except Exception as error:  # the next renewal may succeed before the lease ends
                _log.warning("The lease of %s was not renewed: %s", self._session.id, error)

    async def _send(self, verb: str, **request: Any) -> httpx.Response:
        names = self._session.app_name, self._session.user_id, "sessions", self._session.id
        return await self._service._call("POST", *names, action=verb, **request)


def _again(error: Exception) -> Exception:
    """Copies an error without its traceback: the frames would keep a finished run in memory."""
    copy = type(error).__new__(type(error), *error.args)
    copy.__dict__.update(error.__dict__)
    return copy


class TurnLeasePlugin(BasePlugin):
    """Takes the lease of the session for each run of an agent. A second run at the same time fails before it calls its
    model, and stores nothing.

    Make it the first of the runner's plugins: an earlier plugin that returns a result would hide the run from it. The
    plugin ignores runs on ADK's in-memory service, such as the runs of AgentTool.

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
        """Takes the lease before ADK stores the message. If that fails, the append of the message raises the error."""
        await self._begin(invocation_context)
        return None

    async def before_run_callback(self, *, invocation_context: InvocationContext) -> types.Content | None:
        """Takes the lease for runs without a message: resumed runs and live runs."""
        run = await self._begin(invocation_context)
        if run:
            run.turn.check()
        return None

    async def before_model_callback(self, *, callback_context: CallbackContext, llm_request: LlmRequest) -> None:
        """Raises the error of the turn before the model is called."""
        session = callback_context.session
        for run in list(self._runs.values()):
            if run.is_of(session):
                run.turn.check()

    async def on_event_callback(self, *, invocation_context: InvocationContext, event: Event) -> Event | None:
        """Records activity of the turn."""
        run = self._runs.get(id(invocation_context))
        if run:
            run.turn.heard()
        return None

    async def after_run_callback(self, *, invocation_context: InvocationContext) -> None:
        """Releases the lease at the end of a run, also if its caller stopped listening."""
        await self._finish(invocation_context)

    async def on_run_error_callback(self, *, invocation_context: InvocationContext, error: Exception) -> None:
        """Releases the lease of a failed run."""
        await self._finish(invocation_context)

    async def close(self) -> None:
        """Releases all leases when the runner is closed."""
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
        # ADK calls no callback for a cancelled run
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
    """A run of an agent, with its lease."""

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
        """Releases the lease on the event loop of the run. The garbage collector may call this in any thread."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._release)

    def _on_done(self, _: object) -> None:
        self._release()

    def _release(self) -> None:
        if self._releasing is None:
            self._releasing = self._loop.create_task(self.finish())
