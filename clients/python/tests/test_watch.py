"""Tests that a watch yields every event once when connections break."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Any

import httpx
import pytest
from cutter import Cutter
from test_contract import event, reread

from agent_sessions_adk import (
    AgentSessionsError,
    AgentSessionService,
    InvalidRequestError,
    SessionNotFoundError,
    WatchedEvent,
)


@pytest.fixture
async def cutter(url: str) -> AsyncIterator[Cutter]:
    async with Cutter(url) as cutter:
        yield cutter


async def take(events: AsyncIterator[WatchedEvent], count: int) -> list[WatchedEvent]:
    async def some() -> list[WatchedEvent]:
        return [await anext(events) for _ in range(count)]

    return await asyncio.wait_for(some(), 120)


async def rest(events: AsyncIterator[WatchedEvent]) -> list[WatchedEvent]:
    async def all_of_them() -> list[WatchedEvent]:
        return [watched async for watched in events]

    return await asyncio.wait_for(all_of_them(), 120)


async def test_shows_what_is_there_and_then_what_comes(service: AgentSessionService, app: str) -> None:
    session = await service.create_session(app_name=app, user_id="alice")
    await service.append_event(session, event("one"))
    watch = service.watch(app_name=app, user_id="alice", session_id=session.id, after_seq=0)
    assert [watched.event for watched in await take(watch, 1)] == session.events
    await service.append_event(session, event("two", k=1))
    assert await take(watch, 1) == [WatchedEvent(2, (await reread(service, session)).events[1])]
    await service.delete_session(app_name=app, user_id="alice", session_id=session.id)
    assert await rest(watch) == []


async def test_shows_a_text_with_ends_of_lines_that_are_none(service: AgentSessionService, url: str, app: str) -> None:
    session = await service.create_session(app_name=app, user_id="alice")
    watch = service.watch(app_name=app, user_id="alice", session_id=session.id, after_seq=0)
    odd = "a\u2028b\u2029c\x85d\u200b" * 20_000
    body = '{"author": "a", "actions": {"stateDelta": {"odd": "' + odd + '"}}}'
    async with httpx.AsyncClient(base_url=url, headers={"Content-Type": "application/json"}) as http:
        path = f"/apps/{app}/users/alice/sessions/{session.id}/events"
        assert (await http.post(path, content=body.encode())).is_success
    assert [watched.event.actions.state_delta for watched in await take(watch, 1)] == [{"odd": odd}]


async def test_misses_and_repeats_nothing_when_it_is_cut_off(
    service: AgentSessionService, cutter: Cutter, app: str
) -> None:
    session = await service.create_session(app_name=app, user_id="alice")
    async with AgentSessionService(cutter.url) as through:
        watch = through.watch(app_name=app, user_id="alice", session_id=session.id)
        first = asyncio.create_task(take(watch, 1))
        await cutter.wait_for_connection()
        await cutter.cut()
        await service.append_event(session, event("0"))
        seen = await first
        for number in range(1, 10):
            await service.append_event(session, event(str(number)))
            if number % 3 == 0:
                await cutter.cut()
        seen += await take(watch, 9)
    assert [watched.seq for watched in seen] == list(range(1, 11))
    assert [watched.event for watched in seen] == (await reread(service, session)).events


async def test_shows_nothing_of_a_session_that_takes_its_place(
    service: AgentSessionService, cutter: Cutter, app: str
) -> None:
    names: dict[str, Any] = {"app_name": app, "user_id": "alice", "session_id": "s"}
    await service.append_event(await service.create_session(**names), event("one"))
    async with AgentSessionService(cutter.url) as through:
        watch = through.watch(**names, after_seq=0)
        assert len(await take(watch, 1)) == 1
        cutter.holds = True
        await cutter.cut()
        await service.delete_session(**names)
        other = await service.create_session(**names)
        await service.append_event(other, event("two"))
        await service.append_event(other, event("three"))
        cutter.holds = False
        assert await rest(watch) == []


async def test_the_end_of_a_watch_is_that_of_its_connection(
    service: AgentSessionService, cutter: Cutter, app: str
) -> None:
    session = await service.create_session(app_name=app, user_id="alice")
    await service.append_event(session, event("one"))
    async with AgentSessionService(cutter.url) as through:
        watch: AsyncGenerator[WatchedEvent, None] = through.watch(
            app_name=app, user_id="alice", session_id=session.id, after_seq=0
        )
        assert len(await take(watch, 1)) == 1
        await watch.aclose()
        await asyncio.wait_for(cutter.wait_for_no_connection(), 120)


async def test_tells_that_it_cannot_be_watched(service: AgentSessionService, app: str) -> None:
    with pytest.raises(SessionNotFoundError):
        await anext(service.watch(app_name=app, user_id="alice", session_id="missing"))
    session = await service.create_session(app_name=app, user_id="alice")
    async with AgentSessionService("http://no-such-host.invalid") as nowhere:
        with pytest.raises(AgentSessionsError, match="http://no-such-host.invalid cannot be reached"):
            await anext(nowhere.watch(app_name=app, user_id="alice", session_id=session.id))
    with pytest.raises(InvalidRequestError):
        await anext(service.watch(app_name=app, user_id="alice", session_id=session.id, after_seq=7))
