"""Tests that the client waits for an unreachable service, and raises at once if waiting cannot help."""

import asyncio
import logging
import socket

import httpx
import pytest
from proxy import forward_to

from agent_sessions_adk import AgentSessionsError, AgentSessionService, InvalidRequestError


@pytest.fixture
def port() -> int:
    """Returns a port without a listener."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        free: int = probe.getsockname()[1]
        return free


async def test_waits_for_a_service_that_is_away_and_says_so_once(
    url: str, port: int, app: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with AgentSessionService(f"http://127.0.0.1:{port}") as service:
        created = [asyncio.create_task(service.create_session(app_name=app, user_id="alice")) for _ in range(2)]
        while not caplog.records:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        server = await asyncio.start_server(forward_to(url), "127.0.0.1", port)
        sessions = await asyncio.gather(*created)
        assert [session.user_id for session in sessions] == ["alice", "alice"]
    server.close()
    assert [record.name for record in caplog.records if record.levelno >= logging.WARNING] == ["agent_sessions_adk"]
    assert f"http://127.0.0.1:{port} could not be reached; requests are sent again for 30 s" in caplog.text


async def test_names_the_address_of_a_service_that_stays_away(port: int, app: str) -> None:
    address = f"http://127.0.0.1:{port}/base"
    async with AgentSessionService(f"{address}/", unavailable_timeout=0.3) as service:
        with pytest.raises(AgentSessionsError, match=f"{address} could not be reached for 0.3 s") as raised:
            await service.create_session(app_name=app, user_id="alice")
    assert (raised.value.status, raised.value.code) == (None, "UNAVAILABLE")


async def test_names_the_address_and_the_time_if_nobody_accepts_the_connection(
    app: str, caplog: pytest.LogCaptureFixture
) -> None:
    with socket.socket() as listener, socket.socket() as first:
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        address = f"http://127.0.0.1:{listener.getsockname()[1]}"
        first.connect(listener.getsockname())  # now the queue is full, so the next connection waits
        options = {"timeout": httpx.Timeout(10, connect=0.25)}
        async with AgentSessionService(address, unavailable_timeout=0.1, http_options=options) as service:
            with pytest.raises(AgentSessionsError) as raised:
                await service.create_session(app_name=app, user_id="alice")
    reason = "could not be reached for 0.1 s: ConnectTimeout after 0.25 s"
    assert str(raised.value) == f"Agent Sessions at {address} {reason}"
    assert "ConnectTimeout after 0.25 s" in caplog.text


@pytest.mark.parametrize("address", ["localhost:8080", "example.com", "ftp://example.com", "http://", "http://[::1"])
def test_an_address_has_a_scheme_and_a_host(address: str) -> None:
    with pytest.raises(InvalidRequestError, match="http:// or https://"):
        AgentSessionService(address)


async def test_does_not_wait_for_what_waiting_cannot_heal(url: str, app: str, caplog: pytest.LogCaptureFixture) -> None:
    for address in ("http://no-such-host.invalid", url.replace("http:", "https:")):
        async with AgentSessionService(address) as service:
            with pytest.raises(AgentSessionsError, match=f"{address} cannot be reached"):
                await service.create_session(app_name=app, user_id="alice")
    assert [record for record in caplog.records if record.name == "agent_sessions_adk"] == []


async def test_an_address_is_named_without_what_is_secret_in_it() -> None:
    async with AgentSessionService("http://me:secret@no-such-host.invalid") as service:
        with pytest.raises(AgentSessionsError) as raised:
            await service.create_session(app_name="a", user_id="alice")
    assert "secret" not in str(raised.value)
