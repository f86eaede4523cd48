"""Tests the contract of ADK's session service."""

from __future__ import annotations

import asyncio
import datetime
import time
from typing import Any

import httpx
import pytest
from google.adk.events.event import Event
from google.adk.events.event_actions import EventActions, EventCompaction
from google.adk.sessions.base_session_service import GetSessionConfig
from google.adk.sessions.in_memory_session_service import InMemorySessionService
from google.adk.sessions.session import Session
from google.genai import types

from agent_sessions_adk import (
    AgentSessionsError,
    AgentSessionService,
    AlreadyExistsError,
    InvalidRequestError,
    SessionNotFoundError,
)


def event(text: str = "hello", /, **delta: Any) -> Event:
    content = types.Content(role="user", parts=[types.Part(text=text)])
    return Event(author="user", invocation_id="i", content=content, actions=EventActions(state_delta=delta))


async def reread(service: AgentSessionService, session: Session, config: GetSessionConfig | None = None) -> Session:
    read = await service.get_session(
        app_name=session.app_name, user_id=session.user_id, session_id=session.id, config=config
    )
    assert read is not None
    return read


async def test_a_created_session_is_read_back_equal(service: AgentSessionService, app: str) -> None:
    session = await service.create_session(app_name=app, user_id="alice", state={"k": {"n": [1, 2.5, None]}})
    assert (session.app_name, session.user_id, session.events) == (app, "alice", [])
    assert session.state == {"k": {"n": [1, 2.5, None]}}
    assert abs(session.last_update_time - time.time()) < 60
    assert await reread(service, session) == session


async def test_keeps_and_trims_the_id_that_was_asked_for(service: AgentSessionService, app: str) -> None:
    session = await service.create_session(app_name=app, user_id="alice", session_id="  s 1 ")
    assert session.id == "s 1"
    assert await service.get_session(app_name=app, user_id="alice", session_id=" s 1 ") is not None
    with pytest.raises(AlreadyExistsError):
        await service.create_session(app_name=app, user_id="alice", session_id=" s 1 ")
    await service.delete_session(app_name=app, user_id="alice", session_id=" s 1  ")
    assert await service.get_session(app_name=app, user_id="alice", session_id="s 1") is None


@pytest.mark.parametrize("blank", [None, "", "  "])
async def test_makes_an_id_where_none_is_given(service: AgentSessionService, app: str, blank: str | None) -> None:
    first = await service.create_session(app_name=app, user_id="alice", session_id=blank)
    second = await service.create_session(app_name=app, user_id="alice", session_id=blank)
    assert first.id.strip() != second.id.strip() != ""


async def test_only_one_of_many_creations_of_one_id_succeeds(service: AgentSessionService, app: str) -> None:
    creations = [
        service.create_session(app_name=app, user_id="alice", session_id="s", state={"n": n}) for n in range(8)
    ]
    results = await asyncio.gather(*creations, return_exceptions=True)
    created = [result for result in results if isinstance(result, Session)]
    assert len(created) == 1
    assert sum(isinstance(result, AlreadyExistsError) for result in results) == 7
    assert (await reread(service, created[0])).state == created[0].state


async def test_what_is_not_there_is_none_and_deleting_it_is_no_error(service: AgentSessionService, app: str) -> None:
    assert await service.get_session(app_name=app, user_id="alice", session_id="none") is None
    await service.delete_session(app_name=app, user_id="alice", session_id="none")


async def test_appending_to_a_deleted_session_fails_and_creates_nothing(service: AgentSessionService, app: str) -> None:
    session = await service.create_session(app_name=app, user_id="alice")
    await service.delete_session(app_name=app, user_id="alice", session_id=session.id)
    with pytest.raises(SessionNotFoundError):
        await service.append_event(session, event())
    assert session.events == []
    assert await service.get_session(app_name=app, user_id="alice", session_id=session.id) is None


async def test_the_same_id_of_two_users_names_two_sessions(service: AgentSessionService, app: str) -> None:
    alice = await service.create_session(app_name=app, user_id="alice", session_id="s")
    bob = await service.create_session(app_name=app, user_id="bob", session_id="s")
    await service.append_event(alice, event())
    assert len((await reread(service, alice)).events) == 1
    assert (await reread(service, bob)).events == []


async def test_prefixes_say_who_shares_a_key(service: AgentSessionService, app: str) -> None:
    state = {"own": 1, "user:u": 2, "app:a": 3, "temp:t": 4}
    session = await service.create_session(app_name=app, user_id="alice", state=state)
    assert session.state == {"own": 1, "user:u": 2, "app:a": 3}
    await service.append_event(session, event(own=5, **{"user:u": 6, "app:a": 7}))
    sibling = await service.create_session(app_name=app, user_id="alice")
    stranger = await service.create_session(app_name=app, user_id="bob")
    assert sibling.state == {"user:u": 6, "app:a": 7}
    assert stranger.state == {"app:a": 7}
    assert await service.get_user_state(app_name=app, user_id="alice") == {"u": 6}
    assert await service.get_user_state(app_name=app, user_id="nobody") == {}


async def test_temporary_state_stays_in_the_object(service: AgentSessionService, app: str) -> None:
    session = await service.create_session(app_name=app, user_id="alice")
    returned = await service.append_event(session, event(kept=1, **{"temp:scratch": 2}))
    assert session.state == {"kept": 1, "temp:scratch": 2}
    assert returned.actions.state_delta == {"kept": 1}
    stored = await reread(service, session)
    assert stored.state == {"kept": 1}
    assert stored.events[0].actions.state_delta == {"kept": 1}


async def test_a_partial_event_changes_nothing(service: AgentSessionService, app: str) -> None:
    session = await service.create_session(app_name=app, user_id="alice")
    partial = event(k=1, **{"temp:t": 1})
    partial.partial = True
    assert await service.append_event(session, partial) is partial
    assert (session.events, session.state) == ([], {})
    assert await reread(service, session) == session


async def test_none_is_a_value(service: AgentSessionService, app: str) -> None:
    session = await service.create_session(app_name=app, user_id="alice", state={"k": 1})
    await service.append_event(session, event(k=None, nested={"n": None}))
    sent: dict[str, Any] = {}
    async with httpx.AsyncClient(base_url=service.url) as client:
        answer = await client.get(f"/apps/{app}/users/alice/sessions/{session.id}")
        sent = answer.json()["events"][0]["actions"]["stateDelta"]
    assert sent == {"k": None, "nested": {"n": None}}
    assert session.state == {"k": None, "nested": {"n": None}}


async def test_what_json_cannot_say_becomes_text(service: AgentSessionService, app: str) -> None:
    circle: dict[str, Any] = {}
    circle["self"] = circle
    day = datetime.date(2026, 11, 21)
    odd = {"nan": float("nan"), "inf": [float("-inf")], "day": day, "set": {1}, "tuple": (1, 2), 3: "three"}
    session = await service.create_session(
        app_name=app, user_id="alice", state={"odd": odd, "call": test_none_is_a_value}
    )
    assert session.state["odd"] == {
        "nan": "nan", "inf": ["-inf"], "day": "2026-11-21", "set": [1], "tuple": [1, 2], "3": "three",
    }  # fmt: skip
    assert "test_none_is_a_value" in session.state["call"]
    await service.append_event(session, event(odd=odd, circle=circle, surrogate="\ud800", model=types.Part(text="t")))
    stored = (await reread(service, session)).state
    assert (stored["odd"]["nan"], stored["surrogate"], stored["model"]["text"]) == ("nan", "\ud800", "t")
    assert "..." in stored["circle"]["self"]
    assert session.state["odd"] is odd


async def test_an_event_is_read_back_whole(service: AgentSessionService, app: str) -> None:
    session = await service.create_session(app_name=app, user_id="alice")
    blob = types.Blob(mime_type="image/png", data=bytes(range(256)))
    call = types.FunctionCall(id="c1", name="f_g", args={"some_key": None, "aB": {"c_d": 1}})
    answer = types.FunctionResponse(id="c1", name="f_g", response={"some_key": [None]})
    parts = [types.Part(text="look"), types.Part(inline_data=blob), types.Part(function_call=call),
             types.Part(function_response=answer)]  # fmt: skip
    sent = Event(
        author="agent", invocation_id="i-1", content=types.Content(role="model", parts=parts), branch="a.b",
        partial=False, turn_complete=True, interrupted=True, error_code="E", error_message="m",
        long_running_tool_ids={"c1"}, custom_metadata={"own_key": {"nN": 1}},
        actions=EventActions(state_delta={"k": 1}, artifact_delta={"file_name": 0}, transfer_to_agent="b"),
        grounding_metadata=types.GroundingMetadata(web_search_queries=["q"]),
        usage_metadata=types.GenerateContentResponseUsageMetadata(prompt_token_count=5),
        input_transcription=types.Transcription(text="t", finished=True),
    )  # fmt: skip
    await service.append_event(session, sent)
    assert session.events == [sent]
    assert (await reread(service, session)).events == [sent]
    assert await reread(service, session) == session


async def test_the_object_has_the_time_of_the_service(service: AgentSessionService, app: str) -> None:
    session = await service.create_session(app_name=app, user_id="alice")
    before = session.last_update_time
    old = event()
    old.timestamp = 1.5
    await service.append_event(session, old)
    assert session.last_update_time > before
    assert (await reread(service, session)).last_update_time == session.last_update_time


async def test_reads_the_newest_events_or_those_since(service: AgentSessionService, app: str) -> None:
    session = await service.create_session(app_name=app, user_id="alice")
    for number in range(1, 6):
        numbered = event(str(number))
        numbered.timestamp = number + 0.1234567
        await service.append_event(session, numbered)

    async def read(**config: Any) -> list[float]:
        return [item.timestamp for item in (await reread(service, session, GetSessionConfig(**config))).events]

    times = [item.timestamp for item in (await reread(service, session)).events]
    assert times == pytest.approx([1.123457, 2.123457, 3.123457, 4.123457, 5.123457], abs=1e-6)
    assert await read(num_recent_events=2) == times[3:]
    assert await read(num_recent_events=0) == []
    assert await read(num_recent_events=99) == times
    assert await read(after_timestamp=4.1234567) == times[3:]
    assert await read(after_timestamp=99) == []
    assert await read(num_recent_events=3, after_timestamp=4) == times[3:]
    assert await read(num_recent_events=1, after_timestamp=2) == times[4:]


async def test_reads_what_a_model_sees(url: str, service: AgentSessionService, app: str) -> None:
    session = await service.create_session(app_name=app, user_id="alice")
    for number in range(1, 6):
        numbered = event(str(number))
        numbered.timestamp = float(number)
        await service.append_event(session, numbered)
    content = types.Content(role="model", parts=[types.Part(text="They counted")])
    summary = EventCompaction(start_timestamp=1, end_timestamp=4, compacted_content=content)
    await service.append_event(session, Event(author="user", actions=EventActions(compaction=summary)))
    async with AgentSessionService(url, view="context") as seeing:
        read = await reread(seeing, session)
        assert [item.id for item in read.events] == [item.id for item in session.events[4:]]
        newest = await reread(seeing, session, GetSessionConfig(num_recent_events=1))
        assert [item.id for item in newest.events] == [session.events[5].id]
        await seeing.append_event(read, event("6"))
    assert len((await reread(service, session)).events) == 7


async def test_lists_oldest_first_with_state_and_without_events(service: AgentSessionService, app: str) -> None:
    sessions = [await service.create_session(app_name=app, user_id="alice", state={"n": n}) for n in range(3)]
    other = await service.create_session(app_name=app, user_id="bob")
    await service.append_event(sessions[0], event(n=9))
    listed = (await service.list_sessions(app_name=app, user_id="alice")).sessions
    assert [(item.state, item.events) for item in listed] == [({"n": 1}, []), ({"n": 2}, []), ({"n": 9}, [])]
    everybody = (await service.list_sessions(app_name=app)).sessions
    assert [item.id for item in everybody] == [sessions[1].id, sessions[2].id, other.id, sessions[0].id]
    assert (await service.list_sessions(app_name=app, user_id="nobody")).sessions == []


async def test_lists_sessions_of_evaluations(service: AgentSessionService, app: str) -> None:
    await service.create_session(app_name=app, user_id="alice", session_id="___eval___session___1")
    assert len((await service.list_sessions(app_name=app, user_id="alice")).sessions) == 1


async def test_follows_the_pages_of_a_list(url: str, app: str, service: AgentSessionService) -> None:
    for _ in range(5):
        await service.create_session(app_name=app, user_id="alice")

    async def two_a_page(request: httpx.Request) -> None:
        request.url = request.url.copy_merge_params({"limit": "2"})

    async with AgentSessionService(url, http_options={"event_hooks": {"request": [two_a_page]}}) as paged:
        assert len((await paged.list_sessions(app_name=app, user_id="alice")).sessions) == 5


async def test_appending_an_event_again_stores_and_applies_it_once(service: AgentSessionService, app: str) -> None:
    session = await service.create_session(app_name=app, user_id="alice")
    twice = event(k=1)
    await service.append_event(session, twice)
    await service.append_event(session, event(k=2))
    await service.append_event(session, twice)
    assert (len(session.events), session.state) == (2, {"k": 2})
    await service.append_event(session, event(k=3))
    assert await reread(service, session) == session


async def test_names_of_any_letters(service: AgentSessionService, app: str) -> None:
    for user, session_id in [("ü 日本", "ß?#&=+ "), ("a@b.c|d", "x:y"), ("o'neil", "~'\"<>")]:
        session = await service.create_session(app_name=app, user_id=user, session_id=session_id)
        await service.append_event(session, event())
        assert await reread(service, session) == session
        assert len((await service.list_sessions(app_name=app, user_id=user)).sessions) == 1


@pytest.mark.parametrize("name", ["", " ", ".", ".."])
async def test_refuses_names_that_would_be_another_path(service: AgentSessionService, app: str, name: str) -> None:
    await service.create_session(app_name=app, user_id="alice")
    with pytest.raises(InvalidRequestError):
        await service.delete_session(app_name=app, user_id="alice", session_id=name)
    with pytest.raises(InvalidRequestError):
        await service.get_session(app_name=app, user_id=name, session_id="s")
    assert len((await service.list_sessions(app_name=app)).sessions) == 1


async def test_what_the_service_refuses_says_why(service: AgentSessionService, app: str) -> None:
    with pytest.raises(InvalidRequestError, match="ttl") as refused:
        await service.create_session(app_name=app, user_id="alice", ttl="x")
    assert isinstance(refused.value, ValueError)
    assert (refused.value.status, refused.value.code) in [(400, "INVALID_ARGUMENT"), (422, "VALIDATION_FAILED")]
    session = await service.create_session(app_name=app, user_id="alice")
    first, other = event("one"), event("other")
    other.id = first.id
    await service.append_event(session, first)
    with pytest.raises(InvalidRequestError) as conflict:
        await service.append_event(session, other)
    assert conflict.value.code == "EVENT_ID_CONFLICT"
    assert session.events == [first]


async def test_gives_a_session_an_end_a_name_and_labels(service: AgentSessionService, app: str) -> None:
    session = await service.create_session(
        app_name=app, user_id="alice", ttl="3600s", display_name="Trip", labels={"team": "blue"}
    )
    async with httpx.AsyncClient(base_url=service.url) as client:
        query = {"displayName": "Trip", "label": "team=blue"}
        listed = (await client.get(f"/apps/{app}/users/alice/sessions", params=query)).json()
    assert [item["id"] for item in listed] == [session.id]


async def test_reads_what_other_languages_wrote(service: AgentSessionService, app: str) -> None:
    session = await service.create_session(app_name=app, user_id="alice")
    foreign = {
        "author": "agent", "content": {"role": "model", "parts": [{"text": "hi", "newInGo": 1}], "alsoNew": 2},
        "actions": {"stateDelta": {"k": 1}, "deletedArtifactIds": ["a"]}, "unheardOf": True,
    }  # fmt: skip
    async with httpx.AsyncClient(base_url=service.url) as client:
        answer = await client.post(f"/apps/{app}/users/alice/sessions/{session.id}/events", json=foreign)
        assert answer.status_code == 200
    stored = await reread(service, session)
    assert stored.events[0].content is not None
    assert stored.events[0].content.parts == [types.Part(text="hi")]
    assert stored.state == {"k": 1}


async def test_the_object_becomes_what_the_memory_service_makes_of_it(service: AgentSessionService, app: str) -> None:
    memory = InMemorySessionService()
    sessions = []
    for one in (service, memory):
        session = await one.create_session(app_name=app, user_id="alice", session_id="s", state={"a": 1, "temp:x": 0})
        deltas: list[dict[str, Any]] = [
            {"a": None, "user:u": [1]},
            {},
            {"temp:y": 1, "app:z": {"d": 1}},
            {"a": {"b": 2}},
        ]
        for number, delta in enumerate(deltas):
            fixed = event(**delta)
            fixed.id, fixed.timestamp = f"e{number}", 1000.5 + number
            assert await one.append_event(session, fixed) is fixed
        sessions.append(session)
    ours, theirs = (session.model_dump(exclude={"last_update_time"}) for session in sessions)
    assert ours == theirs


def test_one_service_in_several_event_loops(url: str, app: str) -> None:
    service = AgentSessionService(url)

    async def turn() -> int:
        session = await service.get_session(app_name=app, user_id="alice", session_id="s")
        session = session or await service.create_session(app_name=app, user_id="alice", session_id="s")
        await service.append_event(session, event())
        return len(session.events)

    assert [asyncio.run(turn()) for _ in range(3)] == [1, 2, 3]
