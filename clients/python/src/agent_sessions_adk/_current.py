# SPDX-License-Identifier: Apache-2.0
"""Remembers in which session the user of the running task talks: ADK's memory tools do not say it."""

from contextvars import ContextVar

from google.adk.sessions.session import Session

_current: ContextVar[tuple[str, str, str] | None] = ContextVar("agent_sessions_current", default=None)


def talks_in(session: Session) -> None:
    """Called when an event of the user is appended."""
    _current.set((session.app_name, session.user_id, session.id))


def session_of(app_name: str, user_id: str) -> str | None:
    """Returns the id of the session in which this user talks in the running task, None if it is not known."""
    current = _current.get()
    return current[2] if current and current[:2] == (app_name, user_id) else None
