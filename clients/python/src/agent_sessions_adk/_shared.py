# SPDX-License-Identifier: Apache-2.0
"""Reads the shared state of all apps and users of a source. ADK's interface does not list those without a session."""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol

from google.adk.sessions.base_session_service import BaseSessionService
from google.adk.sessions.in_memory_session_service import InMemorySessionService

from ._life import AgentSessionService
from ._transfer import Endpoint

#: A state, keys without their prefix.
State = dict[str, Any]

_APPS = "select app_name from sessions union select app_name from app_states union select app_name from user_states"
_APP_STATE = "select state from app_states where app_name = :app"
_USER_STATES = "select user_id, state from user_states where app_name = :app"


class SharedState(Protocol):
    """Lists the shared state of a source."""

    async def apps(self) -> list[str]:
        """Returns the names of all apps."""

    async def app_state(self, app: str) -> State:
        """Returns the state that all users of an app share."""

    async def user_states(self, app: str) -> dict[str, State]:
        """Returns the state that the sessions of each user share."""


def shared_state(source: BaseSessionService) -> SharedState | None:
    """Returns an object that lists the shared state of a source; None if the source cannot list it."""
    if isinstance(source, InMemorySessionService):
        return _InMemory(source)
    if hasattr(source, "db_engine"):  # ADK's DatabaseSessionService
        return _Tables(source)
    if hasattr(source, "_get_db_connection"):  # ADK's SqliteSessionService
        return _SqliteTables(source)
    return None


async def apps_of(source: BaseSessionService) -> list[str] | None:
    """Returns the names of all apps of a source; None if it cannot list them."""
    if isinstance(source, AgentSessionService):
        return await Endpoint(source).apps()
    lister = shared_state(source)
    return sorted(await lister.apps()) if lister else None


class _InMemory:
    def __init__(self, source: InMemorySessionService) -> None:
        self._source = source

    async def apps(self) -> list[str]:
        return list({*self._source.sessions, *self._source.app_state, *self._source.user_state})

    async def app_state(self, app: str) -> State:
        return dict(self._source.app_state.get(app, {}))

    async def user_states(self, app: str) -> dict[str, State]:
        return {user: dict(state) for user, state in self._source.user_state.get(app, {}).items()}


class _Tables:
    """Reads the tables of both versions of ADK's schema, in any database."""

    def __init__(self, source: Any) -> None:
        self._source = source

    async def apps(self) -> list[str]:
        return [app for (app,) in await self._rows(_APPS)]

    async def app_state(self, app: str) -> State:
        return next((_read(state) for (state,) in await self._rows(_APP_STATE, app)), {})

    async def user_states(self, app: str) -> dict[str, State]:
        return {user: _read(state) for user, state in await self._rows(_USER_STATES, app)}

    async def _rows(self, statement: str, *app: str) -> Iterable[Any]:
        from sqlalchemy import text

        await self._source.list_sessions(app_name="", user_id="")  # ADK creates its tables at the first request
        async with self._source.db_engine.connect() as connection:
            result = await connection.execute(text(statement), {"app": app[0]} if app else {})
            rows: Iterable[Any] = result.all()
            return rows


class _SqliteTables(_Tables):
    async def _rows(self, statement: str, *app: str) -> Iterable[Any]:
        opened: AbstractAsyncContextManager[Any] = self._source._get_db_connection()
        async with opened as connection, connection.execute(statement, {"app": app[0]} if app else {}) as cursor:
            rows: Iterable[Any] = await cursor.fetchall()
            return rows


def _read(state: Any) -> State:
    """Returns a state as a dict; some drivers return it as text."""
    return dict(json.loads(state) if isinstance(state, (str, bytes)) else state or {})
