"""Tests what every session service of ADK does: ADK's own service in memory has to pass the same cases.

The cases are those of ADK Python's own contract of session services, whose tests its packages do not contain. One case
differs: the last update of a session has the time of the service, and not that of the event (test_contract.py).
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from typing import Any

import pytest
from google.adk.errors.already_exists_error import AlreadyExistsError
from google.adk.events.event import Event
from google.adk.events.event_actions import EventActions
from google.adk.sessions.base_session_service import BaseSessionService, GetSessionConfig
from google.adk.sessions.in_memory_session_service import InMemorySessionService
from google.adk.sessions.session import Session
from google.adk.tools.tool_confirmation import ToolConfirmation
from google.genai import types

from agent_sessions_adk import AgentSessionService


class Sessions:
    """The sessions of one app in a service."""

    def __init__(self, service: BaseSessionService, app: str) -> None:
        self.service = service
        self.app = app

    async def create(self, user: str, state: dict[str, Any] | None = None, session_id: str | None = None) -> Session:
        return await self.service.create_session(app_name=self.app, user_id=user, state=state, session_id=session_id)

    async def find(self, user: str, session_id: str, **config: Any) -> Session | None:
        return await self.service.get_session(
            app_name=self.app, user_id=user, session_id=session_id, config=GetSessionConfig(**config)
        )

    async def read(self, session: Session, **config: Any) -> Session:
        found = await self.find(session.user_id, session.id, **config)
        assert found
        return found

    async def append(self, session: Session, **delta: Any) -> Event:
        actions = EventActions(state_delta=delta)
        return await self.service.append_event(session, Event(author="agent", invocation_id="i", actions=actions))

    async def ids(self, user: str | None) -> list[str]:
        listed = await self.service.list_sessions(app_name=self.app, user_id=user)
        return [session.id for session in listed.sessions]

    async def user_state(self, user: str) -> dict[str, Any]:
        return await self.service.get_user_state(app_name=self.app, user_id=user)


@pytest.fixture(params=["this", "in-memory"])
def sessions(request: pytest.FixtureRequest, service: AgentSessionService, app: str) -> Sessions:
    if request.param == "this":
        return Sessions(service, app)
    if not hasattr(BaseSessionService, "get_user_state"):
        pytest.skip("The services of early versions of ADK do not fulfil this contract")
    return Sessions(InMemorySessionService(), app)


@pytest.fixture
def new_york(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Sets the time zone of the process to one that has summer time."""
    monkeypatch.setenv("TZ", "America/New_York")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


async def test_a_session_is_read_as_it_was_created_until_it_is_deleted(sessions: Sessions) -> None:
    assert await sessions.find("alice", "none") is None
    created = await sessions.create("alice", {"a": 1})
    assert (created.app_name, created.user_id, created.state) == (sessions.app, "alice", {"a": 1})
    assert created.last_update_time <= time.time()
    assert await sessions.read(created) == created
    await sessions.service.delete_session(app_name=sessions.app, user_id="alice", session_id=created.id)
    assert await sessions.find("alice", created.id) is None


async def test_an_id_is_used_once_by_a_user_and_spaces_around_it_do_not_count(sessions: Sessions) -> None:
    created = await sessions.create("alice", {"of": "alice"}, "\torder-7\n")
    assert created.id == "order-7"
    assert await sessions.find("alice", " order-7\n") == created
    with pytest.raises(AlreadyExistsError):
        await sessions.create("alice", session_id="order-7")
    await sessions.append(created)
    other = await sessions.create("bob", session_id="order-7")
    assert await sessions.find("bob", "order-7") == other
    await sessions.service.delete_session(app_name=sessions.app, user_id="alice", session_id="order-7 ")
    assert await sessions.find("alice", "order-7") is None
    assert await sessions.find("bob", "order-7") == other


async def test_lists_of_a_user_or_of_all_end_with_the_session_that_was_updated_last(sessions: Sessions) -> None:
    first = await sessions.create("alice", {"n": 1}, "a")
    for user, session_id in [("alice", "b"), ("bob", "c")]:
        await sessions.create(user, {"n": 2}, session_id)
    await asyncio.sleep(0.01)
    await sessions.append(first, m=3)
    assert await sessions.ids("alice") == ["b", "a"]
    assert await sessions.ids("bob") == ["c"]
    assert await sessions.ids("nobody") == []
    assert sorted(await sessions.ids(None)) == ["a", "b", "c"]
    listed = (await sessions.service.list_sessions(app_name=sessions.app, user_id="alice")).sessions
    assert [session.state for session in listed] == [{"n": 2}, {"n": 1, "m": 3}]


async def test_the_prefix_of_a_key_says_which_sessions_share_it(sessions: Sessions) -> None:
    first = await sessions.create("alice", {"own": 1, "user:a": 1, "app:a": 1})
    await sessions.append(first, **{"own2": 2, "user:b": 2, "app:b": 2})
    assert (await sessions.read(first)).state == {
        "own": 1, "own2": 2, "user:a": 1, "user:b": 2, "app:a": 1, "app:b": 2,
    }  # fmt: skip
    assert (await sessions.create("alice")).state == {"user:a": 1, "user:b": 2, "app:a": 1, "app:b": 2}
    assert (await sessions.create("bob")).state == {"app:a": 1, "app:b": 2}


@pytest.mark.parametrize("prefix", ["", "user:", "app:"])
@pytest.mark.parametrize("value", [None, {"name": "Bo"}, {}, [], False])
async def test_a_new_value_takes_the_place_of_the_old_one_whole(sessions: Sessions, prefix: str, value: Any) -> None:
    key = f"{prefix}k"
    session = await sessions.create("alice", {key: {"name": "Ada", "role": "admin"}, "kept": False})
    await sessions.append(session, **{key: value})
    await sessions.append(session, other=True)
    expected = {key: value, "kept": False, "other": True}
    for read in (session, await sessions.read(session)):
        assert read.state == expected
        assert (read.state["kept"], read.state["other"]) == (False, True)
    assert (await sessions.create("alice")).state == ({key: value} if prefix else {})


async def test_temporary_keys_are_in_the_object_only(sessions: Sessions) -> None:
    session = await sessions.create("alice")
    appended = await sessions.append(session, **{"temp:draft": 1, "kept": 2})
    assert session.state == {"temp:draft": 1, "kept": 2}
    assert appended.actions.state_delta == {"kept": 2}
    await sessions.append(session, next=3)
    assert session.state["temp:draft"] == 1
    read = await sessions.read(session)
    assert read.state == {"kept": 2, "next": 3}
    assert [event.actions.state_delta for event in read.events] == [{"kept": 2}, {"next": 3}]


async def test_the_state_of_a_user_is_read_without_a_session(sessions: Sessions) -> None:
    assert await sessions.user_state("alice") == {}
    session = await sessions.create("alice", {"user:early": 0})
    await sessions.append(session, **{"user:count": 1, "user:profile": {"name": "Ada"}, "own": 1, "app:all": 1})
    await sessions.append(session, **{"user:count": 2})
    assert await sessions.user_state("alice") == {"early": 0, "count": 2, "profile": {"name": "Ada"}}
    assert await sessions.user_state("bob") == {}
    assert await Sessions(sessions.service, f"{sessions.app}-2").user_state("alice") == {}


async def test_bytes_and_all_fields_of_an_event_are_read_back(sessions: Sessions) -> None:
    session = await sessions.create("alice")
    image = types.Part.from_bytes(data=b"\xfb\xff an image", mime_type="image/png")
    confirmation = ToolConfirmation(hint="Delete?", confirmed=False, payload={"album_id": "a-1", "count": 3})
    event = Event(
        author="agent", invocation_id="i", timestamp=1700000000.123, branch="a.b",
        content=types.Content(role="user", parts=[types.Part(text="Look"), image]),
        partial=False, turn_complete=True, interrupted=True, error_code="E1", error_message="failed",
        long_running_tool_ids={"t1"}, custom_metadata={"some_key": "v"}, citation_metadata=types.CitationMetadata(),
        actions=EventActions(artifact_delta={"file.txt": 0}, transfer_to_agent="other", escalate=True,
                             requested_tool_confirmations={"t1": confirmation}),
        grounding_metadata=types.GroundingMetadata(
            web_search_queries=["q"], search_entry_point=types.SearchEntryPoint(sdk_blob=b"\xfb\xff a blob")),
        usage_metadata=types.GenerateContentResponseUsageMetadata(prompt_token_count=1, total_token_count=2),
        input_transcription=types.Transcription(text="in", finished=True),
        output_transcription=types.Transcription(text="out", finished=True),
    )  # fmt: skip
    await sessions.service.append_event(session, event)
    assert session.events == [event]
    assert await sessions.read(session) == session


async def test_partial_events_are_not_stored(sessions: Sessions) -> None:
    session = await sessions.create("alice")
    await sessions.service.append_event(session, Event(author="agent", partial=True))
    assert session.events == []
    assert (await sessions.read(session)).events == []


async def test_reads_the_newest_events_those_since_a_time_or_both(sessions: Sessions) -> None:
    session = await sessions.create("alice")
    start = int(time.time())
    for number in range(5):
        await sessions.service.append_event(session, Event(author="agent", timestamp=start + number))

    async def times(**config: Any) -> list[float]:
        return [event.timestamp - start for event in (await sessions.read(session, **config)).events]

    assert await times() == [0, 1, 2, 3, 4]
    assert await times(num_recent_events=0) == []
    assert await times(num_recent_events=3) == [2, 3, 4]
    assert await times(after_timestamp=start + 3) == [3, 4]
    assert await times(after_timestamp=start + 50) == []
    assert await times(num_recent_events=3, after_timestamp=start + 3) == [3, 4]
    assert await times(num_recent_events=1, after_timestamp=start + 3) == [4]


@pytest.mark.usefixtures("new_york")
async def test_times_in_the_hour_that_clocks_repeat_are_read_back(sessions: Sessions) -> None:
    session = await sessions.create("alice")
    in_summer_time, an_hour_later = 1793511000.0, 1793514600.0  # both 1:30 on 1 November 2026
    for timestamp in (in_summer_time, an_hour_later):
        await sessions.service.append_event(session, Event(author="agent", timestamp=timestamp))
    assert [event.timestamp for event in (await sessions.read(session)).events] == [in_summer_time, an_hour_later]
