"""Tests of the store of snapshots with a running service."""

import asyncio
import json

import httpx
import pytest
from agent_framework import AgentSession, Message
from test_history import Losing, said, stored

from agent_sessions_agent_framework import AgentHistoryProvider, AgentSessionsError, AgentSessionStore, Connection


def session(**state: object) -> AgentSession:
    made = AgentSession(session_id="inner", service_session_id="service")
    made.state.update(state)
    return made


async def revision(url: str, app: str) -> str:
    async with httpx.AsyncClient() as http:
        return (await http.get(f"{url}/apps/{app}/users/alice/sessions/s1")).headers["ETag"].split(".")[0]


async def test_a_snapshot_comes_back_as_it_was(store: AgentSessionStore) -> None:
    made = session(z=1.0, a=[10**25, None, "\0\ud800ß"], messages=[Message("user", ["one"])])
    assert await store.get("team/1") is None
    await store.set("team/1", made)
    back = await store.get("team/1")
    assert back is not None
    assert json.dumps(back.to_dict()) == json.dumps(made.to_dict())
    assert isinstance(back.state["messages"][0], Message)
    await store.delete("team/1")
    assert await store.get("team/1") is None
    await store.delete("team/1")


async def test_a_session_replaces_only_what_it_was_made_of(store: AgentSessionStore) -> None:
    await store.set("s1", session(by="first"))
    mine, other = await store.get("s1"), await store.get("s1")
    assert mine is not None
    assert other is not None
    other.state["by"] = "other"
    await store.set("s1", other)
    mine.state["by"] = "me"
    with pytest.raises(AgentSessionsError) as refused:
        await store.set("s1", mine)
    assert (refused.value.status, refused.value.code) == (412, "STALE_SESSION")
    other.state["by"] = "other again"
    await store.set("s1", other)
    back = await store.get("s1")
    assert back is not None
    assert back.state == {"by": "other again"}
    await store.set("s2", mine)
    await store.set("s1", session(by="new"))
    await store.delete("s1")
    with pytest.raises(AgentSessionsError):
        await store.set("s1", other)


async def test_of_twenty_writers_one_replaces_the_snapshot(store: AgentSessionStore) -> None:
    await store.set("s1", session(count=0))
    read = [await store.get("s1") for _ in range(20)]

    async def write(number: int) -> bool:
        mine = read[number]
        assert mine
        mine.state["count"] = number + 1
        try:
            await store.set("s1", mine)
        except AgentSessionsError as error:
            return error.code != "STALE_SESSION"
        return True

    wrote = await asyncio.gather(*(write(number) for number in range(20)))
    back = await store.get("s1")
    assert back
    assert [number + 1 for number in range(20) if wrote[number]] == [back.state["count"]]


async def test_messages_do_not_matter_to_a_snapshot(
    store: AgentSessionStore, history: AgentHistoryProvider, url: str, app: str
) -> None:
    await store.set("s1", session(turns=1))
    mine = await store.get("s1")
    assert mine
    await history.save_messages("s1", said("one", "two"))
    mine.state["turns"] = 2
    await store.set("s1", mine)
    before = await revision(url, app)
    await store.set("s1", mine)
    await store.set("s1", session(turns=2))
    assert await revision(url, app) == before
    await history.save_messages("s1", said("one", "two"))
    assert await stored(history) == ["one", "two"]


async def test_a_lost_response_is_no_conflict(url: str, app: str) -> None:
    lossy = Connection(url, http_options={"transport": Losing()})
    async with AgentSessionStore(lossy, app_name=app, user_id="alice") as store:
        await store.set("s1", session(turns=1))
        mine = await store.get("s1")
        assert mine
        mine.state["turns"] = 2
        await store.set("s1", mine)
        back = await store.get("s1")
        assert back is not None
        assert back.state == {"turns": 2}


async def test_an_empty_id_is_refused(store: AgentSessionStore) -> None:
    with pytest.raises(ValueError, match="non-empty"):
        await store.get("")
