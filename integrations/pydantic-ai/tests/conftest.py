"""Fixtures for tests against a running service, with its address in AGENT_SESSIONS_URL."""

import os
import uuid
from collections.abc import AsyncIterator

import pytest

from agent_sessions_pydantic import AgentSessionsStore, Connection


@pytest.fixture(scope="session")
def url() -> str:
    if "AGENT_SESSIONS_URL" not in os.environ:
        pytest.exit("AGENT_SESSIONS_URL has to name a running service", returncode=2)
    return os.environ["AGENT_SESSIONS_URL"]


@pytest.fixture
async def connection(url: str) -> AsyncIterator[Connection]:
    connection = Connection(url)
    yield connection
    await connection.close()


@pytest.fixture
def app() -> str:
    """Returns a new app name for each test."""
    return f"test-{uuid.uuid4()}"


@pytest.fixture
def store(connection: Connection, app: str) -> AgentSessionsStore:
    return AgentSessionsStore(connection, app_name=app, user_id="alice")


@pytest.fixture
def other(connection: Connection, app: str) -> AgentSessionsStore:
    """Returns a store of the same user that has read nothing yet, as in another process."""
    return AgentSessionsStore(connection, app_name=app, user_id="alice")
