"""Runs the SDK's own tests of its store in memory with the store of this package in its place, on asyncio and on Trio.

    python sdk_suite.py FOLDER       FOLDER has the sources of claude-agent-sdk, as their sdist or their repository

It needs `trio`. AGENT_SESSIONS_URL says where a service runs.
"""

import asyncio
import os
import sys
import threading
import uuid
from typing import Any

import claude_agent_sdk
import claude_agent_sdk._internal.session_store
import pytest

from agent_sessions_claude import AgentSessionStore, Connection

FILES = ("session_helpers_store", "session_import", "session_mutations", "session_resume", "session_store_conformance")
MORE_FILES = ("session_summary", "transcript_mirror")
#: Parts of names of tests that look into the store in memory.
INSIDE = ("size_helper", "clear_helper", "removes_session", "continue_picks", "continue_skips", "continue_tie")
#: Parts of names of tests that count the steps of the event loop until a store in memory answers, or give it 50 ms.
STEPS = ("is_bounded", "bounded_concurrency", "cancelled_after_mkdtemp", "eager_flush_mode_appends", "subkeys_timeout")
_connection = Connection()


class InMemorySessionStore(AgentSessionStore):
    """A store for the place of the SDK's: each is an app of its own."""

    def __init__(self) -> None:
        self._app = f"claude-suite-{uuid.uuid4()}"
        super().__init__(_connection, app_name=self._app, user_id="alice")

    def get_entries(self, key: Any) -> list[Any]:
        """Loads entries in a thread, because the tests call this without await."""
        loaded: list[Any] = []

        async def load() -> None:
            async with AgentSessionStore(app_name=self._app, user_id="alice") as store:
                loaded.extend(await store.load(key) or [])

        thread = threading.Thread(target=lambda: asyncio.run(load()))
        thread.start()
        thread.join()
        return loaded


def main(folder: str) -> int:
    os.chdir(folder)
    sys.path.insert(0, folder)
    claude_agent_sdk._internal.session_store.InMemorySessionStore = InMemorySessionStore  # type: ignore[assignment,misc]
    claude_agent_sdk.InMemorySessionStore = InMemorySessionStore  # type: ignore[assignment,misc]
    left_out = " and ".join(f"not {name}" for name in INSIDE + STEPS)
    files = [f"tests/test_{name}.py" for name in FILES + MORE_FILES]
    return pytest.main(["-q", "-p", "no:cacheprovider", "-W", "ignore", "-o", "addopts=", "-k", left_out, *files])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
