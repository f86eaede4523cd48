"""Tests that ADK's check of tool calls accepts copies of sessions: forks, and imports under other names."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Any

import httpx
import pytest
from agents.concierge.agent import root_agent
from google.adk.agents.llm_agent import LlmAgent
from google.adk.apps import App
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.adk.runners import Runner
from google.adk.sessions.session import Session
from google.adk.tools.function_tool import FunctionTool
from google.genai import types

from agent_sessions_adk import AgentSessionService

plugins = pytest.importorskip("google.adk.plugins._tool_call_integrity_plugin", reason="ADK has had it since 2.13")

STAMP, RESTORED = "__adk_internal_fc_hmac", "__adk_internal_restored_event"


def runner(service: AgentSessionService, app: str, agent: Any = root_agent) -> Runner:
    plugin = plugins.ToolCallIntegrityPlugin(secret_key=b"0" * 32)
    return Runner(app=App(name=app, root_agent=agent, plugins=[plugin]), session_service=service)


async def ask(run: Runner, user: str, session_id: str, part: types.Part | None = None) -> list[str]:
    message = types.Content(role="user", parts=[part or types.Part(text="Question")])
    said = []
    async for event in run.run_async(user_id=user, session_id=session_id, new_message=message):
        said += [part.text for part in (event.content and event.content.parts) or [] if part.text]
    return said


class Caller(BaseLlm):
    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        answered = any(part.function_response for content in llm_request.contents for part in content.parts or [])
        call = types.FunctionCall(name="book", args={"what": "a trip"})
        part = types.Part(text="Done.") if answered else types.Part(function_call=call)
        yield LlmResponse(content=types.Content(role="model", parts=[part]))


def metadata(session: Session) -> list[set[str]]:
    return [set(event.custom_metadata or {}) for event in session.events if event.get_function_calls()]


async def test_a_run_continues_in_a_fork_and_in_the_fork_of_a_fork(service: AgentSessionService, app: str) -> None:
    app = app.replace("-", "_")
    run = runner(service, app)
    await service.create_session(app_name=app, user_id="alice", session_id="s")
    await ask(run, "alice", "s")
    for source, target in (("s", "f"), ("f", "g")):
        fork = await service.fork(app_name=app, user_id="alice", session_id=source, new_session_id=target)
        assert all(keys == {RESTORED} for keys in metadata(fork))
        said = await ask(run, "alice", target)
        assert f"You asked {len(metadata(fork)) + 1} times." in said
    assert "You asked 2 times." in await ask(run, "alice", "s")


async def test_a_call_that_waits_is_executed_in_the_session_but_not_in_a_fork(
    service: AgentSessionService, app: str
) -> None:
    app = app.replace("-", "_")
    booked = []

    def book(what: str) -> dict[str, Any]:
        """Books."""
        booked.append(what)
        return {"times": len(booked)}

    agent = LlmAgent(
        name="agent", model=Caller(model="scripted"), tools=[FunctionTool(book, require_confirmation=True)]
    )
    run = runner(service, app, agent)
    await service.create_session(app_name=app, user_id="alice", session_id="s")
    await ask(run, "alice", "s")
    await service.fork(app_name=app, user_id="alice", session_id="s", new_session_id="f")
    [waiting] = await service.pending_calls(app_name=app, user_id="alice", session_id="f")
    assert waiting.function_call.name == "adk_request_confirmation"
    yes = types.FunctionResponse(
        id=waiting.function_call.id, name="adk_request_confirmation", response={"confirmed": True}
    )
    with pytest.raises(RuntimeError, match="restored history"):
        await ask(run, "alice", "f", types.Part(function_response=yes))
    assert booked == []
    await ask(run, "alice", "s", types.Part(function_response=yes))
    assert booked == ["a trip"]


@pytest.mark.parametrize(("to_app", "to_user"), [("other", "alice"), ("same", "bob"), ("same", "alice")])
async def test_a_run_continues_after_an_import(
    service: AgentSessionService, url: str, app: str, to_app: str, to_user: str
) -> None:
    app = app.replace("-", "_")
    await service.create_session(app_name=app, user_id="alice", session_id="s")
    await ask(runner(service, app), "alice", "s")
    async with httpx.AsyncClient(base_url=url) as http:
        export = (await http.get(f"/apps/{app}/users/alice:export")).content
        await service.delete_session(app_name=app, user_id="alice", session_id="s")
        target = app if to_app == "same" else f"{app}_copy"
        imported = await http.post(
            f"/apps/{target}/users/{to_user}:import",
            content=export,
            headers={"Content-Type": "application/x-ndjson"},
        )
        assert imported.json()["created"] == 1
    session = await service.get_session(app_name=target, user_id=to_user, session_id="s")
    assert session is not None
    unchanged = (target, to_user) == (app, "alice")
    assert metadata(session) == [{STAMP} if unchanged else {RESTORED}]
    assert "You asked 2 times." in await ask(runner(service, target), to_user, "s")
