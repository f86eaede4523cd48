"""Tests the memory service: directly, with ADK's memory tools, and with ADK's own server."""

from __future__ import annotations

import json
import uuid
from collections.abc import AsyncGenerator, AsyncIterator
from datetime import datetime

import pytest
from google.adk.agents import LlmAgent
from google.adk.events.event import Event
from google.adk.memory.base_memory_service import BaseMemoryService
from google.adk.memory.in_memory_memory_service import InMemoryMemoryService
from google.adk.memory.memory_entry import MemoryEntry
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.adk.runners import Runner
from google.adk.sessions.session import Session
from google.adk.tools.base_tool import BaseTool
from google.adk.tools.load_memory_tool import LoadMemoryTool
from google.adk.tools.preload_memory_tool import PreloadMemoryTool
from google.genai import types

from agent_sessions_adk import AgentSessionMemoryService, AgentSessionService, InvalidRequestError, memory_from_uri


@pytest.fixture
async def memory(url: str) -> AsyncIterator[AgentSessionMemoryService]:
    async with AgentSessionMemoryService(url, limit=10) as memory:
        yield memory


def said(text: str, author: str = "user", **fields: object) -> Event:
    return Event(author=author, content=content(text), **fields)  # type: ignore[arg-type]


def content(text: str) -> types.Content:
    return types.Content(role="user", parts=[types.Part(text=text)])


def text_of(entry: MemoryEntry) -> str:
    return "".join(part.text or "" for part in entry.content.parts or [])


async def found(memory: AgentSessionMemoryService, app: str, query: str) -> list[str]:
    answer = await memory.search_memory(app_name=app, user_id="alice", query=query)
    return [text_of(entry) for entry in answer.memories]


async def test_finds_what_was_said_with_the_turns_around_it(
    service: AgentSessionService, memory: AgentSessionMemoryService, app: str
) -> None:
    session = await service.create_session(app_name=app, user_id="alice", session_id="s1")
    for event in (said("Where do we stay?", timestamp=1000.5), said("In Kyoto, near the river", "agent"), said("Fine")):
        await service.append_event(session, event)
    other = await service.create_session(app_name=app, user_id="alice", session_id="s2")
    await service.append_event(other, said("Hello"))
    await memory.add_session_to_memory(session)
    answer = await memory.search_memory(app_name=app, user_id="alice", query="kyoto")
    assert len(answer.memories) == 1
    entry = answer.memories[0]
    assert text_of(entry) == "user: Where do we stay?\nagent: In Kyoto, near the river\nuser: Fine"
    assert entry.author == "agent"
    assert datetime.fromisoformat(entry.timestamp or "").tzinfo is not None
    event_id = session.events[1].id
    assert {**entry.custom_metadata, "score": 0} == {"session_id": "s1", "event_id": event_id, "seq": 2, "score": 0}
    assert await found(memory, app, "  ") == []
    assert await found(memory, app, "x" * 3000) == []
    assert await found(memory, app, "x" + "\N{GRINNING FACE}" * 1500 + "\ud83d") == []
    assert (await memory.search_memory(app_name=app, user_id="bob", query="kyoto")).memories == []


async def test_forgets_an_event_and_deletes_a_fact(
    service: AgentSessionService, memory: AgentSessionMemoryService, app: str
) -> None:
    session = await service.create_session(app_name=app, user_id="alice")
    await service.append_event(session, said("My code is 1234", "agent"))
    entry = MemoryEntry(
        id="m1", content=content("Likes tea"), author="alice", timestamp="2026-01-02T03:04:05+00:00",
        custom_metadata={"colour": "red"},
    )  # fmt: skip
    for _ in range(2):
        await memory.add_memory(app_name=app, user_id="alice", memories=[entry], custom_metadata={"by": "agent"})
    answer = await memory.search_memory(app_name=app, user_id="alice", query="tea 1234")
    assert sorted(text_of(hit) for hit in answer.memories) == ["Likes tea", "My code is 1234"]
    fact = next(hit for hit in answer.memories if hit.id == "m1")
    assert fact.timestamp == "2026-01-02T03:04:05+00:00"
    assert {**fact.custom_metadata, "score": 0} == {"colour": "red", "by": "agent", "score": 0}
    for hit in answer.memories:
        await memory.delete_memory(app_name=app, user_id="alice", memory_id=hit.id)
    assert await found(memory, app, "tea 1234") == []
    with pytest.raises(InvalidRequestError):
        await memory.delete_memory(app_name=app, user_id="alice")


async def test_stores_events_of_other_session_services_once(memory: AgentSessionMemoryService, app: str) -> None:
    events = [
        said("Likes tea", id="e1"),
        Event(id="e2", author="agent", content=types.Content(parts=[types.Part(text="secret", thought=True)])),
        Event(id="e3", author="agent"),
        said(" ", id="e4"),
    ]
    session = Session(id="elsewhere", app_name=app, user_id="alice", events=events)
    await memory.add_session_to_memory(session)
    await memory.add_session_to_memory(session)
    answer = await memory.search_memory(app_name=app, user_id="alice", query="tea secret")
    assert [text_of(entry) for entry in answer.memories] == ["Likes tea"]
    assert answer.memories[0].custom_metadata["session_id"] == "elsewhere"


@pytest.mark.parametrize("kind", ["memory", "agentsessions"])
async def test_ignores_an_event_whose_id_is_there_with_another_text(
    memory: AgentSessionMemoryService, app: str, kind: str
) -> None:
    """As ADK's own service in memory: the first text stays, and the other events of the call are stored."""
    by: BaseMemoryService = memory if kind == "agentsessions" else InMemoryMemoryService()
    for events in ([said("Likes tea", id="e1")], [said("Likes coffee", id="e1"), said("Likes cake", id="e2")]):
        await by.add_events_to_memory(app_name=app, user_id="alice", session_id="elsewhere", events=events)
    answer = await by.search_memory(app_name=app, user_id="alice", query="likes tea coffee cake")
    assert sorted(text_of(entry) for entry in answer.memories) == ["Likes cake", "Likes tea"]


class AskingModel(BaseLlm):
    """A model that looks into memory if it can, and records what reaches it."""

    seen: list[str] = []

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        self.seen.append(llm_request.model_dump_json(include={"contents", "config"}))
        last = (llm_request.contents[-1].parts or [types.Part()])[-1]
        if "load_memory" in llm_request.tools_dict and not last.function_response:
            part = types.Part(function_call=types.FunctionCall(name="load_memory", args={"query": "Where do we stay?"}))
        else:
            part = types.Part(text="I see.")
        yield LlmResponse(content=types.Content(role="model", parts=[part]))


@pytest.mark.parametrize("tool", [LoadMemoryTool(), PreloadMemoryTool()])
async def test_an_agent_knows_what_was_said_in_an_earlier_session(
    service: AgentSessionService, memory: AgentSessionMemoryService, app: str, tool: BaseTool
) -> None:
    model = AskingModel(model="asking", seen=[])
    agent = LlmAgent(name="guide", model=model, instruction="Help.", tools=[tool])
    runner = Runner(app_name=app, agent=agent, session_service=service, memory_service=memory)
    for session, message in (("s1", "We stay in Kyoto, near the river"), ("s2", "Where do we stay, in Kyoto?")):
        await service.create_session(app_name=app, user_id="alice", session_id=session)
        async for _ in runner.run_async(user_id="alice", session_id=session, new_message=content(message)):
            pass
    remembered = model.seen[-1]
    assert "We stay in Kyoto, near the river" in remembered
    assert remembered.count("Where do we stay, in Kyoto?") == 1


def test_a_uri_names_the_memory_service() -> None:
    memory = memory_from_uri("agentsessions://localhost:8080?limit=3&around=0", agents_dir="agents")
    assert (memory.url, memory._limit, memory._around) == ("http://localhost:8080", 3, 0)
    with pytest.raises(ValueError, match="options"):
        memory_from_uri("agentsessions://localhost:8080?view=context")
    with pytest.raises(ValueError, match="key"):
        memory_from_uri("agentsessions://key@localhost:8080")


async def test_adk_api_server_adds_a_session_to_memory(service: AgentSessionService, app: str, url: str) -> None:
    """The request that ADK's own server knows is one of this service, too."""
    await service.create_session(app_name=app, user_id="alice", session_id="s1")
    async with AgentSessionMemoryService(url) as memory:
        answer = await memory._call("PATCH", app, "alice", "memory", body={"session_id": "s1"})
        assert json.loads(answer.content) is None
        assert not await memory._is_stored(app, "alice", str(uuid.uuid4()))
