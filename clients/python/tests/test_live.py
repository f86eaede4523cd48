"""Tests a live run with a scripted live model: the session is equal to the session in ADK's in-memory service."""

from __future__ import annotations

import asyncio
import warnings
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from google.adk.agents import LlmAgent
from google.adk.agents.live_request_queue import LiveRequestQueue
from google.adk.agents.run_config import RunConfig
from google.adk.artifacts import InMemoryArtifactService
from google.adk.artifacts.base_artifact_service import BaseArtifactService
from google.adk.models.base_llm import BaseLlm
from google.adk.models.base_llm_connection import BaseLlmConnection
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.adk.runners import Runner
from google.adk.sessions.base_session_service import BaseSessionService
from google.adk.sessions.in_memory_session_service import InMemorySessionService
from google.adk.sessions.session import Session
from google.genai import types

from agent_sessions_adk import AgentSessionArtifactService, AgentSessionService

warnings.simplefilter("ignore")
SOUND = types.Blob(data=b"\x00\x01" * 200, mime_type="audio/pcm;rate=16000")


def weather(city: str) -> str:
    """Says the weather."""
    return f"Rain in {city}"


def text(said: str) -> types.Content:
    return types.Content(role="model", parts=[types.Part(text=said)])


class Connection(BaseLlmConnection):
    """A live model that calls a tool for a text, and answers sound with sound."""

    def __init__(self) -> None:
        self._sent: asyncio.Queue[types.Content | types.Blob] = asyncio.Queue()

    async def send_history(self, history: list[types.Content]) -> None:
        pass

    async def send_content(self, content: types.Content) -> None:
        await self._sent.put(content)

    async def send_realtime(self, blob: Any) -> None:
        await self._sent.put(blob)

    async def receive(self) -> AsyncGenerator[LlmResponse, None]:
        sent = await self._sent.get()
        if isinstance(sent, types.Blob):
            yield LlmResponse(input_transcription=types.Transcription(text="Thank", finished=False), partial=True)
            yield LlmResponse(input_transcription=types.Transcription(text="Thanks", finished=True))
            yield LlmResponse(content=types.Content(role="model", parts=[types.Part(inline_data=SOUND)]))
            yield LlmResponse(output_transcription=types.Transcription(text="You are welcome.", finished=True))
            yield LlmResponse(usage_metadata=types.GenerateContentResponseUsageMetadata(total_token_count=7))
        elif (sent.parts or [types.Part()])[0].function_response:
            yield LlmResponse(content=text("Rain"), partial=True)
            yield LlmResponse(content=text("Rain, so take an umbrella."))
        else:
            call = types.FunctionCall(id="c1", name="weather", args={"city": "Kyoto"})
            yield LlmResponse(content=types.Content(role="model", parts=[types.Part(function_call=call)]))
            return
        yield LlmResponse(turn_complete=True)

    async def close(self) -> None:
        pass


class LiveModel(BaseLlm):
    @asynccontextmanager
    async def connect(self, llm_request: LlmRequest) -> AsyncIterator[BaseLlmConnection]:
        yield Connection()

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        raise NotImplementedError
        yield LlmResponse()


async def talk(sessions: BaseSessionService, artifacts: BaseArtifactService, app: str) -> Session:
    agent = LlmAgent(name="guide", model=LiveModel(model="scripted"), instruction="Help.", tools=[weather])
    runner = Runner(app_name=app, agent=agent, session_service=sessions, artifact_service=artifacts)
    await sessions.create_session(app_name=app, user_id="alice", session_id="s")
    queue, turns = LiveRequestQueue(), 0
    queue.send_content(types.Content(role="user", parts=[types.Part(text="Do I need an umbrella in Kyoto?")]))
    config = RunConfig(response_modalities=["AUDIO"], save_live_blob=True)
    async for event in runner.run_live(
        user_id="alice", session_id="s", live_request_queue=queue, run_config=config
    ):  # fmt: skip
        if event.turn_complete:
            turns += 1
            if turns == 1:
                queue.send_realtime(SOUND)
            else:
                queue.close()
                break
    stored = await sessions.get_session(app_name=app, user_id="alice", session_id="s")
    assert stored is not None
    return stored


def comparable(session: Session) -> list[dict[str, Any]]:
    events = [
        event.model_dump(exclude={"id", "timestamp", "invocation_id"}, exclude_none=True) for event in session.events
    ]
    for event in events:
        for part in event.get("content", {}).get("parts") or []:
            if "file_data" in part:  # the artifact of the sound, whose name has the time
                part["file_data"] = "sound"
            if "function_call" in part or "function_response" in part:
                (part.get("function_call") or part["function_response"]).pop("id", None)
        event["actions"]["artifact_delta"] = list(event["actions"].get("artifact_delta", {}).values())
    return events


async def test_a_live_run_leaves_the_session_that_it_leaves_in_memory(
    service: AgentSessionService, url: str, app: str
) -> None:
    async with AgentSessionArtifactService(url) as artifacts:
        ours = await talk(service, artifacts, app)
    theirs = await talk(InMemorySessionService(), InMemoryArtifactService(), app)
    assert comparable(ours) == comparable(theirs)
    said = str(comparable(ours))
    for expected in ("umbrella in Kyoto", "Rain in Kyoto", "take an umbrella", "Thanks", "You are welcome."):
        assert expected in said
