"""Tests time travel, explained state, forks, rewinds and pending calls."""

from __future__ import annotations

from typing import Any

import pytest
from google.adk.agents.base_agent import BaseAgent
from google.adk.events.event import Event
from google.adk.events.event_actions import EventActions
from google.adk.runners import Runner
from google.adk.sessions.base_session_service import BaseSessionService, GetSessionConfig
from google.adk.sessions.in_memory_session_service import InMemorySessionService
from google.adk.sessions.session import Session
from google.genai import types
from proxy import LOSE_ANSWER, Proxy
from test_contract import reread

from agent_sessions_adk import (
    AgentSessionsError,
    AgentSessionService,
    AlreadyExistsError,
    InvalidRequestError,
    PendingCall,
    SessionNotFoundError,
    StaleSessionError,
    StateSource,
)


def turn(invocation: str, author: str = "planner", /, **delta: Any) -> Event:
    return Event(author=author, invocation_id=invocation, timestamp=5.5, actions=EventActions(state_delta=delta))


async def trip(service: BaseSessionService, app: str, state: dict[str, Any] | None = None) -> Session:
    session = await service.create_session(app_name=app, user_id="mira", session_id="trip", state=state)
    await service.append_event(session, turn("t1", city="Rome", days=3))
    await service.append_event(session, turn("t2", days=5, train=True, **{"user:likes": "warmth"}))
    return session


def asking(invocation: str, *ids: str) -> Event:
    """Returns an event that calls a long-running tool for each id."""
    calls = [types.FunctionCall(id=call, name="book", args={"city": "Rome"}) for call in ids]
    content = types.Content(role="model", parts=[types.Part(function_call=call) for call in calls])
    return Event(author="planner", invocation_id=invocation, content=content, long_running_tool_ids=set(ids))


def names(session: Session) -> dict[str, Any]:
    return {"app_name": session.app_name, "user_id": session.user_id, "session_id": session.id}


async def test_a_session_is_read_as_it_was(service: AgentSessionService, app: str) -> None:
    session = await trip(service, app, {"city": "Oslo"})
    states = []
    for seq in range(3):
        then = await service.session_at(**names(session), at_seq=seq)
        assert then is not None
        assert then.events == session.events[:seq]
        states.append(then.state)
    assert states == [
        {"city": "Oslo"},
        {"city": "Rome", "days": 3},
        {"city": "Rome", "days": 5, "train": True, "user:likes": "warmth"},
    ]
    newest = await service.session_at(**names(session), at_seq=2, config=GetSessionConfig(num_recent_events=1))
    assert newest is not None
    assert newest.events == session.events[1:]


async def test_what_was_read_of_the_past_is_not_appended_to(service: AgentSessionService, app: str) -> None:
    session = await trip(service, app)
    then = await service.session_at(**names(session), at_seq=1)
    assert then is not None
    with pytest.raises(StaleSessionError):
        await service.append_event(then, turn("t3"))
    with pytest.raises(InvalidRequestError, match="atSeq"):
        await service.session_at(**names(session), at_seq=3)
    assert await service.session_at(app_name=app, user_id="mira", session_id="none", at_seq=0) is None


async def test_the_state_is_explained_key_by_key(service: AgentSessionService, app: str) -> None:
    session = await trip(service, app, {"mood": "open"})
    explained = await service.state_at(**names(session))
    assert explained.state == (await reread(service, session)).state
    assert explained.keys["city"].event == StateSource(1, session.events[0].id, "planner", 5.5)
    assert explained.keys["days"].event == StateSource(2, session.events[1].id, "planner", 5.5)
    assert explained.keys["mood"].event is None
    assert (explained.keys["mood"].scope, explained.keys["user:likes"].scope) == ("session", "user")
    assert (explained.seq, explained.shared_state_current) == (2, True)
    before = await service.state_at(**names(session), at_seq=0)
    assert (before.state, before.seq, before.shared_state_current) == ({"mood": "open"}, 0, False)
    with pytest.raises(SessionNotFoundError):
        await service.state_at(app_name=app, user_id="mira", session_id="none")


async def test_a_fork_goes_on_alone(service: AgentSessionService, app: str) -> None:
    session = await trip(service, app)
    fork = await service.fork(**names(session), before_invocation_id="t2", new_session_id="plane")
    assert (fork.id, fork.events) == ("plane", session.events[:1])
    assert fork.state == {"city": "Rome", "days": 3, "user:likes": "warmth"}
    await service.append_event(fork, turn("t2", plane=True))
    assert await reread(service, fork) == fork
    assert await reread(service, session) == session
    assert (await service.fork(**names(session), at_seq=0)).events == []
    assert (await service.fork(**names(session), display_name="All of it")).events == session.events


async def test_a_fork_needs_a_free_id_and_a_place_that_is_there(service: AgentSessionService, app: str) -> None:
    session = await trip(service, app)
    with pytest.raises(AlreadyExistsError):
        await service.fork(**names(session), new_session_id="trip")
    with pytest.raises(AgentSessionsError, match="invocation") as refused:
        await service.fork(**names(session), before_invocation_id="none")
    assert refused.value.code == "INVOCATION_NOT_FOUND"
    with pytest.raises(SessionNotFoundError):
        await service.fork(app_name=app, user_id="mira", session_id="none")


async def test_a_rewind_does_what_adk_does(service: AgentSessionService, app: str) -> None:
    in_memory = InMemorySessionService()
    theirs = await trip(in_memory, app)
    runner = Runner(app_name=app, agent=BaseAgent(name="planner"), session_service=in_memory)
    await runner.rewind_async(user_id="mira", session_id="trip", rewind_before_invocation_id="t2")
    theirs = await reread(in_memory, theirs)  # type: ignore[arg-type]

    session = await trip(service, app)
    event = await service.rewind(session, "t2")

    assert event.actions == theirs.events[-1].actions
    assert (event.author, event.content) == (theirs.events[-1].author, theirs.events[-1].content)
    assert session.state == theirs.state
    assert session.events[-1] == event
    assert await reread(service, session) == session
    await service.append_event(session, turn("t3"))


async def test_a_rewind_knows_the_state_that_the_session_was_created_with(
    service: AgentSessionService, app: str
) -> None:
    session = await trip(service, app, {"city": "Oslo"})
    await service.rewind(session, "t1")
    assert session.state == {"city": "Oslo", "days": None, "train": None, "user:likes": "warmth"}
    assert await reread(service, session) == session


async def test_a_rewind_of_what_has_changed_is_refused(service: AgentSessionService, app: str) -> None:
    session = await trip(service, app)
    await service.append_event(await reread(service, session), turn("t3"))
    with pytest.raises(StaleSessionError):
        await service.rewind(session, "t2")
    assert len(session.events) == 2
    with pytest.raises(AgentSessionsError, match="invocation"):
        await service.rewind(await reread(service, session), "none")


async def test_a_call_waits_until_somebody_answers_it(service: AgentSessionService, app: str) -> None:
    session = await trip(service, app)
    assert await service.pending_calls(**names(session)) == []
    asked = await service.append_event(session, asking("t3", "call-1"))
    call = types.FunctionCall(id="call-1", name="book", args={"city": "Rome"})
    assert await service.pending_calls(**names(session)) == [PendingCall(asked.id, 3, session.last_update_time, call)]
    response = types.FunctionResponse(id="call-1", name="book", response={"ok": True})
    content = types.Content(role="user", parts=[types.Part(function_response=response)])
    await service.append_event(session, Event(author="user", invocation_id="t3", content=content))
    assert await service.pending_calls(**names(session)) == []
    with pytest.raises(SessionNotFoundError):
        await service.pending_calls(app_name=app, user_id="mira", session_id="none")


async def test_all_calls_that_wait_are_listed_the_oldest_first(service: AgentSessionService, app: str) -> None:
    session = await trip(service, app)
    page = [f"call-{number:04}" for number in range(1000)]
    await service.append_event(session, asking("t3", *page))
    await service.append_event(session, asking("t4", "a-call"))
    pending = await service.pending_calls(**names(session))
    assert [waiting.function_call.id for waiting in pending] == [*page, "a-call"]


async def test_a_lost_answer_rewinds_and_forks_once(proxy: Proxy, through_proxy: AgentSessionService, app: str) -> None:
    session = await trip(through_proxy, app)
    proxy.faults = [LOSE_ANSWER]
    await through_proxy.rewind(session, "t2")
    proxy.faults = [LOSE_ANSWER]
    fork = await through_proxy.fork(**names(session))
    assert len(session.events) == 3
    assert fork.events == session.events == (await reread(through_proxy, session)).events
