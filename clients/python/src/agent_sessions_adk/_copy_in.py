# SPDX-License-Identifier: Apache-2.0
"""Copies from one of ADK's session services to Agent Sessions."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any

from google.adk.sessions.base_session_service import BaseSessionService
from google.adk.sessions.session import Session
from google.adk.sessions.state import State

from ._early import read_early_columns
from ._json import event_json, jsonable
from ._life import AgentSessionService
from ._report import UNLISTED, Report
from ._shared import shared_state
from ._transfer import Endpoint

if TYPE_CHECKING:
    from ._copy import Copy

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_MICROSECOND = timedelta(microseconds=1)
_KEYS_OF_LINE = 1000

#: Approximate maximum of bytes, and maximum of sessions, in one request.
_BYTES_OF_REQUEST = 4 << 20
_SESSIONS_OF_REQUEST = 200


async def copy_in(copy: Copy, source: BaseSessionService, target: Endpoint, app: str, report: Report) -> None:
    """Copies an app."""
    if isinstance(source, AgentSessionService):
        await _pipe(copy, Endpoint(source), target, app, report)
        return
    await read_early_columns(source)
    there = await target.last_updates(app, copy.user)
    batch = _Batch(copy, target, app, report)
    keys = await _keys(source, app, copy.user, report)
    for user, session_id, updated in keys:
        if not copy.check and there.get((user, session_id)) == _seconds(updated):
            report.add(there=1)
            continue
        name = f"{app}/{user}/{session_id}"
        try:
            session = await source.get_session(app_name=app, user_id=user, session_id=session_id)
        except Exception as error:  # any error of the source; the other sessions are still copied
            report.leave_out(name, f"cannot be read: {error!r}")
            continue
        if session is None:
            report.leave_out(name, "was deleted meanwhile")
            continue
        try:
            await batch.add(user, session, updated)
        except ValueError as error:
            report.leave_out(name, f"cannot be written: {error}")
    await _share(source, batch, {user for user, _, _ in keys}, report)
    await batch.send()


async def _share(source: BaseSessionService, batch: _Batch, known: set[str], report: Report) -> None:
    """Copies the shared state of users and apps without sessions, which the list of sessions does not include."""
    lister = shared_state(source)
    if lister is None:
        report.note(UNLISTED)
        return
    if not known:
        await batch.share(None, await lister.app_state(batch.app))
    for user, state in sorted((await lister.user_states(batch.app)).items()):
        if user not in known:
            await batch.share(user, state)


async def _keys(
    source: BaseSessionService, app: str, user: str | None, report: Report
) -> list[tuple[str, str, datetime]]:
    """Returns the user, id and last update time of all sessions, in the order of users."""
    listed = await source.list_sessions(app_name=app, user_id=user)
    keys = sorted((item.user_id, item.id, _time(item.last_update_time)) for item in listed.sessions)
    report.total += len(keys)
    return keys


async def _pipe(copy: Copy, source: Endpoint, target: Endpoint, app: str, report: Report) -> None:
    """Copies an app between two Agent Sessions services: passes the export on without parsing it."""
    report.total += len(await source.last_updates(app, copy.user))
    if not copy.user:
        report.note(UNLISTED)
    if copy.dry_run:
        async for line in source.export_lines(app, copy.user):
            if line.startswith(b'{"kind":"session"'):
                report.add(copied=1, events=json.loads(line)["revision"])
        return
    body: AsyncIterator[bytes] = source.export_bytes(app, copy.user)
    _count(report, app, await target.import_lines(app, copy.user, body))


def _count(report: Report, app: str, imported: dict[str, Any]) -> None:
    report.add(copied=imported["created"], events=imported["events"], there=imported["unchanged"])
    for problem in imported["problems"]:
        names = [app, problem.get("userId"), problem.get("sessionId")]
        what = "/".join(name for name in names if name)
        shared = "sessionId" not in problem and problem["code"] == "ALREADY_EXISTS"
        report.leave_out(f"state of {what}" if shared else what, problem["detail"])
    if imported["problemsOmitted"]:
        report.leave_out(app, f"{imported['problemsOmitted']} problems more", imported["problemsOmitted"])
    if not imported["complete"]:
        report.leave_out(app, "the export ended too early: copy again")


class _Batch:
    """Sessions that go in one request."""

    def __init__(self, copy: Copy, target: Endpoint, app: str, report: Report) -> None:
        self._copy, self._target, self.app, self._report = copy, target, app, report
        self._user: str | None = None
        self._with_app_state = True
        self._begin()

    def _begin(self) -> None:
        self._lines = bytearray(_line(kind="export", version=1, appName=self.app, userId=self._copy.user))
        self._sessions = self._events = self._shared = 0
        self._user = None

    async def add(self, user: str, session: Session, updated: datetime) -> None:
        """Adds a session. The first session of an app or user also adds the shared state.

        Raises:
            ValueError: The session has a value without a JSON form.
        """
        lines = b"".join(_session_lines(session, updated))
        if self._with_app_state and not self._copy.user:
            self._lines += b"".join(_state_lines("appState", _scope(session, State.APP_PREFIX)))
            self._with_app_state = False
        if user != self._user:
            self._lines += _line(kind="user", userId=user)
            self._lines += b"".join(_state_lines("userState", _scope(session, State.USER_PREFIX)))
            self._user = user
        self._lines += lines
        self._sessions += 1
        self._events += len(session.events)
        if len(self._lines) > _BYTES_OF_REQUEST or self._sessions == _SESSIONS_OF_REQUEST:
            await self.send()

    async def share(self, user: str | None, state: dict[str, Any]) -> None:
        """Adds the shared state of a user without sessions, or of an app if the user is None."""
        if not state or (self._copy.user and user != self._copy.user):
            return
        if user is None:
            self._lines += b"".join(_state_lines("appState", state))
        else:
            self._lines += _line(kind="user", userId=user) + b"".join(_state_lines("userState", state))
        self._shared += 1
        if len(self._lines) > _BYTES_OF_REQUEST:
            await self.send()

    async def send(self) -> None:
        """Sends the batch, unless it is empty."""
        if not self._sessions and not self._shared:
            return
        self._report.shared += self._shared
        self._lines += _line(kind="end", sessions=self._sessions, events=self._events)
        if self._copy.dry_run:
            self._report.add(copied=self._sessions, events=self._events)
        else:
            _count(
                self._report, self.app, await self._target.import_lines(self.app, self._copy.user, bytes(self._lines))
            )
        self._begin()


def _session_lines(session: Session, updated: datetime) -> Iterator[bytes]:
    times = _commit_times([event.timestamp for event in session.events], updated)
    yield _line(
        kind="session",
        sessionId=session.id,
        revision=len(session.events),
        createTime=_text(times[0] - _MICROSECOND if times else updated),
        lastUpdateTime=_text(updated),
    )
    yield from _state_lines("state", _own_state(session))
    for seq, (event, commit_time) in enumerate(zip(session.events, times, strict=True), 1):
        yield _line(kind="event", seq=seq, commitTime=_text(commit_time), event=jsonable(event_json(event)))
    yield _line(kind="sessionEnd")


def _commit_times(timestamps: list[float], updated: datetime) -> list[datetime]:
    """Estimates when events were stored, which ADK does not report: at their timestamps, but in rising order, and the
    last event at the last update of the session."""
    times: list[datetime] = []
    for timestamp in timestamps:
        times.append(max(_time(timestamp), times[-1] + _MICROSECOND) if times else _time(timestamp))
    limit = updated
    for place in reversed(range(len(times))):
        times[place] = limit if place == len(times) - 1 else min(times[place], limit)
        limit = times[place] - _MICROSECOND
    return times


def _own_state(session: Session) -> dict[str, Any]:
    shared = (State.APP_PREFIX, State.USER_PREFIX, State.TEMP_PREFIX)
    return {key: value for key, value in session.state.items() if not key.startswith(shared)}


def _scope(session: Session, prefix: str) -> dict[str, Any]:
    return {key[len(prefix) :]: value for key, value in session.state.items() if key.startswith(prefix)}


def _state_lines(kind: str, state: dict[str, Any]) -> Iterator[bytes]:
    """Yields lines with several keys each; keys of a line that is too large get one line each."""
    items = list(jsonable(state).items())
    for first in range(0, len(items), _KEYS_OF_LINE):
        piece = dict(items[first : first + _KEYS_OF_LINE])
        line = _line(kind=kind, state=piece)
        if len(line) < _BYTES_OF_REQUEST or len(piece) == 1:
            yield line
        else:
            yield from (_line(kind=kind, state={key: value}) for key, value in piece.items())


def _line(**fields: Any) -> bytes:
    given = {name: value for name, value in fields.items() if value is not None}
    return json.dumps(given, allow_nan=False, separators=(",", ":")).encode() + b"\n"


def _time(seconds: float) -> datetime:
    return _EPOCH + timedelta(seconds=seconds)  # multiplying by 1e6 would round twice


def _seconds(time: datetime) -> float:
    return ((time - _EPOCH) // _MICROSECOND) / 1e6


def _text(time: datetime) -> str:
    return time.isoformat(timespec="microseconds")
