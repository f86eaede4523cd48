"""Tests whole runs of an agent: the session is equal to the session in ADK's in-memory service."""

from __future__ import annotations

import warnings
from typing import Any

from agents.concierge.agent import root_agent
from google.adk.runners import Runner
from google.adk.sessions.base_session_service import BaseSessionService
from google.adk.sessions.in_memory_session_service import InMemorySessionService
from google.adk.sessions.session import Session
from google.genai import types

from agent_sessions_adk import AgentSessionService

warnings.simplefilter("ignore")


async def talk(service: BaseSessionService, app: str, turns: int) -> Session:
    runner = Runner(app_name=app, agent=root_agent, session_service=service)
    session = await service.create_session(app_name=app, user_id="alice", session_id="s", state={"user:name": "Alice"})
    for turn in range(turns):
        question = types.Content(role="user", parts=[types.Part(text=f"Question {turn}")])
        async for _ in runner.run_async(user_id="alice", session_id=session.id, new_message=question):
            pass
    stored = await service.get_session(app_name=app, user_id="alice", session_id="s")
    assert stored is not None
    return stored


def without_what_is_random(session: Session) -> dict[str, Any]:
    """Removes ids and times, which differ in each run; the two helper agents may answer in either order."""
    plain = session.model_dump(exclude={"last_update_time"})
    invocations: list[str] = []
    calls: list[str] = []
    for event in plain["events"]:
        del event["id"], event["timestamp"]
        if event["invocation_id"] not in invocations:
            invocations.append(event["invocation_id"])
        event["invocation_id"] = invocations.index(event["invocation_id"])
        for part in event["content"]["parts"]:
            call = part["function_call"] or part["function_response"]
            if call:
                if call["id"] not in calls:
                    calls.append(call["id"])
                call["id"] = calls.index(call["id"])
    plain["events"].sort(key=lambda event: (event["invocation_id"], event["branch"] or ""))
    return plain


async def test_a_run_leaves_the_session_that_it_leaves_in_memory(service: AgentSessionService, app: str) -> None:
    ours = await talk(service, app, 3)
    theirs = await talk(InMemorySessionService(), app, 3)
    assert len(ours.events) == 3 * 6
    assert ours.state["answer"] == "You asked 3 times."
    assert "temp:scratch" not in ours.state
    assert without_what_is_random(ours) == without_what_is_random(theirs)


async def test_a_conversation_can_be_rewound(service: AgentSessionService, app: str) -> None:
    session = await talk(service, app, 2)
    invocations = list(dict.fromkeys(event.invocation_id for event in session.events))
    runner = Runner(app_name=app, agent=root_agent, session_service=service)
    await runner.rewind_async(user_id="alice", session_id="s", rewind_before_invocation_id=invocations[1])
    rewound = await service.get_session(app_name=app, user_id="alice", session_id="s")
    assert rewound is not None
    assert rewound.state["times"] == 1
    assert rewound.events[-1].actions.rewind_before_invocation_id == invocations[1]
