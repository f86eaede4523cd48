"""Tests ADK's own server, started with --session_service_uri."""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from google.genai import types
from proxy import Proxy
from test_contract import event

from agent_sessions_adk import AgentSessionArtifactService, AgentSessionService, TurnLease, from_uri

AGENTS = Path(__file__).parent / "agents"


@asynccontextmanager
async def adk_server(agents: Path, uri: str) -> AsyncIterator[httpx.AsyncClient]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    adk = Path(sys.executable).with_name("adk")
    stores = [word for store in ("session", "memory", "artifact") for word in (f"--{store}_service_uri", uri)]
    arguments = ["api_server", "--port", str(port), *stores, str(agents)]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("AGENT_SESSIONS")}
    server = await asyncio.create_subprocess_exec(adk, *arguments, env=environment)
    try:
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=30) as client:
            for _ in range(900):
                try:
                    await client.get("/list-apps")
                    break
                except httpx.TransportError:
                    assert server.returncode is None
                    await asyncio.sleep(0.2)
            yield client
    finally:
        server.terminate()
        await server.wait()


async def test_adk_api_server_keeps_its_sessions_here(
    url: str, service: AgentSessionService, app: str, tmp_path: Path
) -> None:
    shutil.copy(AGENTS / "services.py", tmp_path)
    name = "concierge_" + app.replace("-", "_")
    shutil.copytree(AGENTS / "concierge", tmp_path / name)
    async with adk_server(tmp_path, url.replace("http", "agentsessions", 1)) as adk:
        sessions = f"/apps/{name}/users/alice/sessions"
        body = {"sessionId": "s1", "state": {"user:name": "Alice"}, "options": {"ttl": "3600s", "display_name": "Trip"}}
        created = await adk.post(sessions, json=body)
        assert created.status_code == 200, created.text
        assert (await adk.post(sessions, json=body)).status_code == 409

        message = {"role": "user", "parts": [{"text": "How often?"}]}
        run = {"appName": name, "userId": "alice", "sessionId": "s1", "newMessage": message}
        assert (await adk.post("/run", json=run)).status_code == 200
        patched = await adk.patch(f"{sessions}/s1", json={"stateDelta": {"__session_metadata__": {"displayName": "T"}}})
        assert patched.status_code == 200

        stored = await service.get_session(app_name=name, user_id="alice", session_id="s1")
        assert stored is not None
        assert stored.state["answer"] == "You asked 1 times."
        assert stored.state["__session_metadata__"] == {"displayName": "T"}
        assert [item["id"] for item in (await adk.get(sessions)).json()] == ["s1"]

        added = await adk.patch(f"/apps/{name}/users/alice/memory", json={"sessionId": "s1"})
        assert (added.status_code, added.json()) == (200, None)

        picture = types.Part.from_bytes(data=b"png", mime_type="image/png")
        async with AgentSessionArtifactService(url) as artifacts:
            where = {"app_name": name, "user_id": "alice", "session_id": "s1"}
            await artifacts.save_artifact(**where, filename="a.png", artifact=picture)
        files = f"{sessions}/s1/artifacts"
        assert (await adk.get(files)).json() == ["a.png"]
        assert (await adk.get(f"{files}/a.png/versions")).json() == [0]
        assert (await adk.get(f"{files}/a.png")).json()["inlineData"]["data"] == "cG5n"

        busy = await service.get_session(app_name=name, user_id="alice", session_id="s1")
        assert busy is not None
        async with TurnLease(service, busy, exclusive=True):
            # ADK's server closes the connection after this response
            refused = await adk.post("/run", json=run, headers={"Connection": "close"})
            assert refused.status_code == 500
        assert (await adk.post("/run", json=run)).status_code == 200

        assert (await adk.delete(f"{sessions}/s1")).status_code == 200
        assert await service.get_session(app_name=name, user_id="alice", session_id="s1") is None


async def test_adk_without_services_py_takes_the_uri_for_that_of_a_database(tmp_path: Path) -> None:
    uri = "agentsessions://localhost:8080"
    adk = Path(sys.executable).with_name("adk")
    arguments = [adk, "api_server", "--session_service_uri", uri, str(tmp_path)]
    server = await asyncio.create_subprocess_exec(*arguments, stderr=asyncio.subprocess.PIPE)
    _, said = await server.communicate()
    assert server.returncode != 0
    assert f"ValueError: Invalid database URL format or argument '{uri}'." in said.decode()


@pytest.mark.parametrize(
    ("uri", "url"),
    [
        ("agentsessions://localhost:8080", "http://localhost:8080"),
        ("agentsessions+http://localhost:8080/", "http://localhost:8080/"),
        ("agentsessions+https://sessions.example.com", "https://sessions.example.com"),
        ("agentsessions+https://example.com/sessions?optimistic_locking=false", "https://example.com/sessions"),
        ("agentsessions://localhost:8080?view=context", "http://localhost:8080"),
    ],
)
def test_a_uri_names_the_service(uri: str, url: str) -> None:
    assert from_uri(uri, agents_dir="agents").url == url


async def test_a_path_before_the_routes_is_kept(url: str, app: str, service: AgentSessionService) -> None:
    seen = []

    async def remember(request: httpx.Request) -> None:
        seen.append(request.url.raw_path.decode())

    hooks = {"event_hooks": {"request": [remember]}}
    async with AgentSessionService(url + "/no/such/base", http_options=hooks) as elsewhere:
        with pytest.raises(Exception, match="404|not"):
            await elsewhere.list_sessions(app_name=app, user_id="a b")
    assert seen == [f"/no/such/base/apps/{app}/users/a%20b/sessions?includeEval=true&includeRevision=true"]


@pytest.mark.parametrize(
    "uri",
    [
        "agentsessions://key@localhost:8080",
        "agentsessions://localhost:8080?api_key=secret",
        "agentsessions://localhost:8080?optimistic_locking=no",
        "agentsessions://localhost:8080?view=prompt",
        "agentsessions://localhost:8080?api_key_env=NO_SUCH_VARIABLE",
    ],
)
def test_a_uri_that_says_something_else_is_refused(uri: str) -> None:
    with pytest.raises(ValueError, match="key|options|variable") as refused:
        from_uri(uri)
    assert "secret" not in str(refused.value)


async def test_a_uri_names_the_variable_of_the_key(proxy: Proxy, app: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", "k1")
    async with from_uri(proxy.url.replace("http", "agentsessions", 1) + "?api_key_env=MY_KEY") as service:
        session = await service.create_session(app_name=app, user_id="alice")
        await service.append_event(session, event())
    assert [headers["authorization"] for headers in proxy.headers] == ["bearer k1", "bearer k1"]
