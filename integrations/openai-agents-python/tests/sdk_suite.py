"""Runs the SDK's own tests of its SQLite sessions with the sessions of this package in their place.

    python sdk_suite.py FOLDER       FOLDER has the sources of openai-agents, as their sdist or their repository

Tests that look into SQLite itself are left out by name. AGENT_SESSIONS_URL says where a service runs.
"""

import os
import sys
import uuid
from pathlib import Path
from typing import Any

import agents
import agents.memory.sqlite_session
import pytest

from agent_sessions_openai import AgentSession, Connection

#: Parts of names of tests that write to SQLite's tables, or count its connections, threads, locks and transactions.
SQLITE = ("corrupt", "connection", "lock", "closed", "rolls_back", "post_commit")
_connection = Connection()


class SQLiteSession(AgentSession):
    """A session for the place of the SDK's: each database is a user."""

    def __init__(self, session_id: str, db_path: str | Path = ":memory:", session_settings: Any = None) -> None:
        user = str(uuid.uuid4()) if str(db_path) == ":memory:" else str(db_path)
        super().__init__(
            session_id,
            app_name="openai-suite",
            user_id=user,
            connection=_connection,
            session_settings=session_settings,
        )

    def close(self) -> None:  # type: ignore[override]
        """Keeps the connection, which all share."""


def main(folder: str) -> int:
    os.chdir(folder)
    sys.path.insert(0, folder)
    agents.memory.sqlite_session.SQLiteSession = SQLiteSession  # type: ignore[assignment,misc]
    agents.SQLiteSession = SQLiteSession  # type: ignore[assignment,misc]
    left_out = " and ".join(f"not {name}" for name in SQLITE)
    files = ["tests/memory/test_session.py", "tests/memory/test_session_limit.py"]
    return pytest.main(["-q", "-p", "no:cacheprovider", "-W", "ignore", "-k", left_out, *files])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
