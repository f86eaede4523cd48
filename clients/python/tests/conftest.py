"""Fixtures for tests against a running service, with its address in AGENT_SESSIONS_URL."""

import os
import uuid
from collections.abc import AsyncIterator

import pytest
from proxy import Proxy

from agent_sessions_adk import AgentSessionService


@pytest.fixture(scope="session")
def url() -> str:
    if "AGENT_SESSIONS_URL" not in os.environ:
        pytest.exit("AGENT_SESSIONS_URL has to name a running service", returncode=2)
    return os.environ["AGENT_SESSIONS_URL"]


@pytest.fixture
def app() -> str:
    """Returns a new app name for each test."""
    return f"test-{uuid.uuid4()}"


@pytest.fixture
async def service(url: str) -> AsyncIterator[AgentSessionService]:
    async with AgentSessionService(url) as service:
        yield service


@pytest.fixture
async def proxy(url: str) -> AsyncIterator[Proxy]:
    """Starts a proxy between client and service that causes failures on request."""
    async with Proxy(url) as proxy:
        yield proxy


@pytest.fixture
async def through_proxy(proxy: Proxy) -> AsyncIterator[AgentSessionService]:
    async with AgentSessionService(proxy.url, retry_for=20) as service:
        yield service
