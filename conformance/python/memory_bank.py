"""Cases for ADK's memory service over the same API."""

import asyncio
import os

from agentplatform import Client
from google.adk.events import Event
from google.adk.memory import VertexAiMemoryBankService
from google.adk.memory.memory_entry import MemoryEntry
from google.genai import types
from google.oauth2.credentials import Credentials

from cases import equal

URL = os.environ["AGENT_SESSIONS_URL"]
ENGINE = os.environ["CONFORMANCE_ENGINE"]


class AgentMemories(VertexAiMemoryBankService):
    def __init__(self):
        super().__init__(project="my-project", location="local", agent_engine_id=ENGINE)

    def _build_api_client(self):
        options = types.HttpOptions(base_url=URL)
        return Client(project="my-project", location="local", credentials=Credentials("any-key"),
                      http_options=options).aio


memories = AgentMemories()


def said(text, author="user"):
    content = types.Content(role=author, parts=[types.Part(text=text)])
    return Event(author=author, invocation_id="i-1", content=content)


async def found(user, query):
    answer = await memories.search_memory(app_name=ENGINE, user_id=user, query=query)
    return sorted(entry.content.parts[0].text for entry in answer.memories)


async def settled():
    """The class does not wait for what it sends last."""
    await asyncio.gather(*(asyncio.all_tasks() - {asyncio.current_task()}))


async def remembers_a_session_without_doubles(service):
    session = await service.create_session(app_name=ENGINE, user_id="remembered")
    await service.append_event(session, said("We stay in Kyoto in May"))
    await memories.add_session_to_memory(session)
    await settled()
    equal(await found("remembered", "When do we stay in Kyoto?"), ["We stay in Kyoto in May"])
    await service.delete_session(app_name=ENGINE, user_id="remembered", session_id=session.id)
    equal(await found("remembered", "When do we stay in Kyoto?"), [])


async def remembers_events_of_sessions_that_are_elsewhere():
    for _ in range(2):
        await memories.add_events_to_memory(app_name=ENGINE, user_id="elsewhere", events=[said("I like green tea")])
        await settled()
    await memories.add_events_to_memory(
        app_name=ENGINE, user_id="elsewhere", events=[said("I like green tea"), said("I like cake and tea")],
        custom_metadata={"wait_for_completion": True, "ttl": "3600s", "source": "chat"})
    equal(await found("elsewhere", "Which tea?"), ["I like cake and tea", "I like green tea"])


async def remembers_facts():
    entry = MemoryEntry(id="likes-oolong", content=types.Content(parts=[types.Part(text="Likes oolong tea")]),
                        author="agent", timestamp="2026-01-01T00:00:00Z")
    for _ in range(2):
        await memories.add_memory(app_name=ENGINE, user_id="facts", memories=[entry],
                                  custom_metadata={"some_key": "red", "number": 1.5, "flag": True})
    more = [MemoryEntry(content=types.Content(parts=[types.Part(text=f"Owns tea pot {n}")])) for n in range(6)]
    await memories.add_memory(app_name=ENGINE, user_id="facts", memories=more,
                              custom_metadata={"enable_consolidation": True})
    answer = await memories.search_memory(app_name=ENGINE, user_id="facts", query="Which oolong?")
    equal([item.content.parts[0].text for item in answer.memories], ["Likes oolong tea"])
    equal(answer.memories[0].custom_metadata, {"some_key": "red", "number": 1.5, "flag": True})
    equal(len(await found("facts", "Which tea pot?")), 3)
    equal(await memories.retrieve_profiles(app_name=ENGINE, user_id="facts"), [])


async def finds_facts_after_a_restart():
    equal(await found("facts", "Which oolong?"), ["Likes oolong tea"])
