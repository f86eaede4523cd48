"""Tests that the service lists the calls that ADK's own index of open interrupts has."""

from __future__ import annotations

from typing import Any

import pytest
from google.adk.events.event import Event
from google.genai import types

from agent_sessions_adk import AgentSessionService

interrupts = pytest.importorskip("google.adk.events._interrupts", reason="ADK has had it since 2.13")
aborts = pytest.importorskip("google.adk.events._abort_events", reason="ADK has had it since 2.13")


def event(author: str, *parts: types.Part, **fields: Any) -> Event:
    return Event(author=author, invocation_id="i", content=types.Content(role="user", parts=list(parts)), **fields)


def call(call_id: str, name: str = "book") -> types.Part:
    return types.Part(function_call=types.FunctionCall(id=call_id, name=name, args={}))


def answer(call_id: str) -> types.Part:
    return types.Part(function_response=types.FunctionResponse(id=call_id, name="book", response={"ok": True}))


HISTORY = [
    event("agent", call("a"), call("b"), call("fast"), long_running_tool_ids={"a", "b"}),
    event("agent", answer("a")),
    event("agent", call("input", "adk_request_input")),
    event("agent", call("credential", "adk_request_credential")),
    event("agent", call("confirmation", "adk_request_confirmation")),
    event("agent", call("c"), branch="root@1.tool@b", long_running_tool_ids={"c"}),
    event("user", types.Part(text="No response"), branch="root@1.tool@b"),
    event("agent", answer("other"), branch="root@1.tool@b"),
    event("user", answer("c"), branch="root@1.tool@b"),
    event("user", answer("input")),
    event("agent", call("d"), call("1"), long_running_tool_ids={"d", "1"}),
    event("user", answer("other"), branch="root@1.d"),
    event("agent", call("a", "adk_request_input")),
]


async def pending(service: AgentSessionService, app: str) -> set[str | None]:
    waiting = await service.pending_calls(app_name=app, user_id="alice", session_id="s")
    return {found.function_call.id for found in waiting}


async def test_the_calls_of_the_index_wait_after_each_event(service: AgentSessionService, app: str) -> None:
    session = await service.create_session(app_name=app, user_id="alice", session_id="s")
    for count, appended in enumerate(HISTORY, 1):
        await service.append_event(session, appended.model_copy(deep=True))
        assert await pending(service, app) == set(interrupts.index_open_interrupts(HISTORY[:count])), count


async def test_a_call_that_adk_has_aborted_waits_no_more(service: AgentSessionService, app: str) -> None:
    session = await service.create_session(app_name=app, user_id="alice", session_id="s")
    waiting = event("agent", call("a"), call("b"), long_running_tool_ids={"a", "b"})
    await service.append_event(session, waiting)
    assert await pending(service, app) == {"a", "b"}
    for sealing in aborts._build_abort_events([waiting], invocation_id="i", root_agent_name="agent", branch=None):
        await service.append_event(session, sealing)
    assert await pending(service, app) == set()
