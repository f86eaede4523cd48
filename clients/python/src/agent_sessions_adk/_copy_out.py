# SPDX-License-Identifier: Apache-2.0
"""Copies from Agent Sessions to another of ADK's session services."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from google.adk.events.event import Event
from google.adk.sessions.base_session_service import BaseSessionService
from google.adk.sessions.session import Session
from google.adk.sessions.state import State

from ._reading import read_event
from ._report import UNLISTED, Report
from ._transfer import Endpoint

if TYPE_CHECKING:
    from ._copy import Copy

_OTHER_TIMES = "the last update time is what the target makes of it, mostly the timestamp of the last event"
_OTHER_ORDER = "timestamps of events do not rise, and a target that sorts by them has another order"
_NO_DETAILS = "display name, labels and end are not kept by ADK's services"

_SHARES_STATE = "agent-sessions-copy-shares-state"


async def copy_out(copy: Copy, source: Endpoint, target: BaseSessionService, app: str, report: Report) -> None:
    """Copies an app."""
    report.total += len(await source.last_updates(app, copy.user))
    if not copy.user:
        report.note(UNLISTED)
    writer = _Writer(copy, target, app, report)
    ended = False
    async for text in source.export_lines(app, copy.user):
        line = json.loads(text)
        ended = line["kind"] == "end"
        await writer.take(line)
    if not ended:
        report.leave_out(app, "the export ended too early: copy again")


@dataclass
class _Read:
    """A session as it was exported."""

    head: dict[str, Any]
    state: dict[str, Any] = field(default_factory=dict)
    events: list[dict[str, Any]] = field(default_factory=list)


class _Writer:
    """Writes the sessions of an export in its order."""

    def __init__(self, copy: Copy, target: BaseSessionService, app: str, report: Report) -> None:
        self._copy, self._target, self._app, self._report = copy, target, app, report
        self._app_state: dict[str, Any] = {}
        self._user_state: dict[str, Any] = {}
        self._user = ""
        self._read = _Read({})

    async def take(self, line: dict[str, Any]) -> None:
        """Processes a line of an export."""
        kind = line["kind"]
        if kind == "appState":
            self._app_state.update(line["state"])
        elif kind in ("user", "end"):
            await self._share(kind == "end")
            self._user, self._user_state = line.get("userId", ""), {}
        elif kind == "userState":
            self._user_state.update(line["state"])
        elif kind == "session":
            self._read = _Read(line)
        elif kind == "state":
            self._read.state.update(line["state"])
        elif kind == "event":
            self._read.events.append(line["event"])
        elif kind == "sessionEnd" and not line.get("deleted"):
            await self._session()

    async def _session(self) -> None:
        name = f"{self._app}/{self._user}/{self._read.head['sessionId']}"
        try:
            events = [read_event(event, name) for event in self._read.events]
            await self._copy_session(name, events)
        except Exception as error:  # any error of the target; the other sessions are still copied
            self._report.leave_out(name, f"cannot be written: {error!r}")

    async def _copy_session(self, name: str, events: list[Event]) -> None:
        names = {"app_name": self._app, "user_id": self._user, "session_id": self._read.head["sessionId"]}
        there = await self._target.get_session(**names)
        known = [event.id for event in there.events] if there else []
        if len(known) > len(events) or set(known) != {event.id for event in events[: len(known)]}:
            self._report.leave_out(name, "is there with other events")
            return
        if there and len(known) == len(events):
            self._report.add(there=1)
            return
        if not self._copy.dry_run:
            session = there or await self._target.create_session(**names, state=self._initial_state())
            for event in events[len(known) :]:
                await self._target.append_event(session, event)
            self._compare(name, session)
        self._note(events)
        self._report.add(copied=1, events=len(events) - len(known))

    def _initial_state(self) -> dict[str, Any]:
        """Returns the keys that no event has set: the session was created with them."""
        set_later = {key for event in self._read.events for key in event["actions"].get("stateDelta", {})}
        return {key: value for key, value in self._read.state.items() if key not in set_later}

    def _compare(self, name: str, session: Session) -> None:
        shared = (State.APP_PREFIX, State.USER_PREFIX, State.TEMP_PREFIX)
        own = {key: value for key, value in session.state.items() if not key.startswith(shared)}
        if own != self._read.state:
            keys = sorted(
                key for key in own.keys() | self._read.state.keys() if own.get(key) != self._read.state.get(key)
            )
            self._report.note(f"state differs, because it was removed or has no event: {name}: {', '.join(keys)[:200]}")

    def _note(self, events: list[Event]) -> None:
        self._report.note(_OTHER_TIMES)
        times = [event.timestamp for event in events]
        if times != sorted(times):
            self._report.note(_OTHER_ORDER)
        if {"displayName", "labels", "expireTime"} & self._read.head.keys():
            self._report.note(_NO_DETAILS)

    async def _share(self, at_end: bool) -> None:
        """Sets the shared state of users and the app, because copied events have set it to old values. ADK's services
        set it only together with a session, so this creates a session and deletes it again. An app without users gets
        a user for it."""
        if at_end and not self._user and self._app_state:
            self._user = _SHARES_STATE
            self._report.shared += 1
        if not self._user or self._copy.dry_run or not (self._user_state or self._app_state):
            return
        state = {State.USER_PREFIX + key: value for key, value in self._user_state.items()}
        state |= {State.APP_PREFIX + key: value for key, value in self._app_state.items()}
        names = {"app_name": self._app, "user_id": self._user, "session_id": _SHARES_STATE}
        await self._target.delete_session(**names)  # an interrupted copy may have left it
        await self._target.create_session(**names, state=state)
        await self._target.delete_session(**names)
