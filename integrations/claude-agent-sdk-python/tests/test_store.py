"""Tests of the store with a running service; the contracts are those of the SDK itself."""

import asyncio
import uuid
from typing import Any

import httpx
import pytest
from claude_agent_sdk import (
    SessionKey,
    delete_session_via_store,
    get_session_messages_from_store,
    list_sessions_from_store,
    project_key_for_directory,
    rename_session_via_store,
)
from claude_agent_sdk.testing import run_session_store_conformance

from agent_sessions_claude import AgentSessionsError, AgentSessionStore, Connection
from agent_sessions_claude._connection import names_in, session_name

KEY: SessionKey = {"project_key": "-home-alice-travel", "session_id": "6f2c1f6e-4f0a-4c0e-9b0a-1f2e3d4c5b6a"}


def entry(type_: str, content: Any, **fields: Any) -> Any:
    role = "assistant" if type_ == "assistant" else "user"
    message = {"role": role, "content": content, **fields.pop("message", {})}
    return {
        "type": type_,
        "uuid": str(uuid.uuid4()),
        "timestamp": "2026-11-01T10:00:00.000Z",
        "message": message,
    } | fields


def turn() -> list[Any]:
    usage = {"input_tokens": 10, "cache_read_input_tokens": 5, "output_tokens": 7}
    model = {"id": "msg_1", "model": "claude-sonnet-4-5", "usage": usage}
    call = {"type": "tool_use", "id": "toolu_1", "name": "Read", "input": {"file_path": "plan.md"}}
    return [
        entry("user", "When do the cherries blossom?"),
        entry("assistant", [{"type": "text", "text": "I look into the plan."}], message=model),
        entry("assistant", [call], message=model),
        entry("user", [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "April"}]),
        entry("assistant", [{"type": "text", "text": "In April."}], message=model | {"id": "msg_2"}),
    ]


async def test_passes_all_contracts_of_the_sdk(connection: Connection) -> None:
    await run_session_store_conformance(
        lambda: AgentSessionStore(connection, app_name=f"test-{uuid.uuid4()}", user_id="alice")
    )


async def test_an_entry_comes_back_as_it_was(store: AgentSessionStore) -> None:
    odd = {
        "type": "x",
        "user_id": None,
        "functionCall": {"a_b": 1.5},
        "big": 12345678901234567890123,
        "text": "\0\ud800ß",
    }
    await store.append(KEY, [odd])  # type: ignore[list-item]
    assert await store.load(KEY) == [odd]


async def test_a_retry_stores_nothing_twice(store: AgentSessionStore, connection: Connection, app: str) -> None:
    entries = turn()
    other = AgentSessionStore(connection, app_name=app, user_id="alice")
    await store.append(KEY, entries[:3])
    await other.append(KEY, entries)
    changed: Any = dict(entries[1], type="changed")
    await store.append(KEY, [*entries, entries[0], changed])
    assert await store.load(KEY) == entries
    new = turn()[:2]
    await store.append(KEY, [*new, new[0]])
    assert await store.load(KEY) == entries + new


async def test_twenty_writers_lose_no_entry_and_no_summary(connection: Connection, app: str) -> None:
    entries = [[entry("user", f"{writer}-{number}") for number in range(2)] for writer in range(20)]

    async def write(own: list[Any]) -> None:
        store = AgentSessionStore(connection, app_name=app, user_id="alice")
        await store.append(KEY, own)

    await asyncio.gather(*(write(own) for own in entries))
    store = AgentSessionStore(connection, app_name=app, user_id="alice")
    loaded = await store.load(KEY) or []
    stored = [one["uuid"] for one in loaded]
    assert sorted(stored) == sorted(one["uuid"] for own in entries for one in own)
    for own in entries:
        positions = [stored.index(one["uuid"]) for one in own]
        assert positions == sorted(positions)
    (summary,) = await store.list_session_summaries(KEY["project_key"])
    assert summary["data"]["first_prompt"] == loaded[0]["message"]["content"]  # type: ignore[typeddict-item]


async def write_summary_of_typescript(connection: Connection, app: str, key: SessionKey) -> None:
    session = ("apps", app, "users", "alice", "sessions", session_name(key["project_key"], key["session_id"]))
    delta = {"claude_summary_typescript": {"firstPrompt": "x"}}
    event = {"id": str(uuid.uuid4()), "author": "claude", "actions": {"stateDelta": delta}}
    await connection.send("POST", session, "/events", body=event)


async def test_the_helpers_of_the_sdk_read_and_change_sessions(
    store: AgentSessionStore, connection: Connection, app: str
) -> None:
    directory = "/home/alice/travel"
    key: SessionKey = {"project_key": project_key_for_directory(directory), "session_id": KEY["session_id"]}
    entries = turn()
    for entry_, before in zip(entries, [None, *entries], strict=False):
        entry_ |= {"parentUuid": before and before["uuid"], "sessionId": key["session_id"]}
    await store.append(key, entries)
    await rename_session_via_store(store, key["session_id"], "Kyoto", directory=directory)
    (info,) = await list_sessions_from_store(store, directory=directory)
    assert (info.session_id, info.summary, info.first_prompt) == (
        key["session_id"],
        "Kyoto",
        "When do the cherries blossom?",
    )
    await write_summary_of_typescript(connection, app, key)
    assert await store.list_session_summaries(key["project_key"]) == []
    (read,) = await list_sessions_from_store(store, directory=directory)
    assert (read.summary, read.first_prompt) == (info.summary, info.first_prompt)
    messages = await get_session_messages_from_store(store, key["session_id"], directory=directory)
    assert [message.uuid for message in messages] == [one["uuid"] for one in entries]
    await delete_session_via_store(store, key["session_id"], directory=directory)
    assert await list_sessions_from_store(store, directory=directory) == []


async def test_console_search_and_usage_read_what_was_said(store: AgentSessionStore, url: str, app: str) -> None:
    entries = turn()
    await store.append(KEY, entries)
    user = f"{url}/apps/{app}/users/alice"
    async with httpx.AsyncClient() as http:
        session = (await http.get(f"{user}/sessions/{session_name(*KEY.values())}")).json()  # type: ignore[arg-type]
        found = (await http.post(f"{user}/events:search", json={"q": "cherries blossom"})).json()
        usage = (await http.get(f"{user}/usage")).json()["usage"]
    events = session["events"]
    assert [event["id"] for event in events] == [one["uuid"] for one in entries]
    assert {event["invocationId"] for event in events} == {entries[0]["uuid"]}
    assert [event["author"] for event in events] == ["user"] + ["claude"] * 4
    assert events[0]["content"] == {"role": "user", "parts": [{"text": "When do the cherries blossom?"}]}
    assert events[2]["content"]["parts"][0]["functionCall"]["name"] == "Read"
    answer = {"id": "toolu_1", "name": "Read", "response": {"result": "April"}}
    assert events[3]["content"]["parts"][0]["functionResponse"] == answer
    assert events[0]["timestamp"] == 1793527200
    assert entries[0]["uuid"] in str(found)
    assert (usage["turns"], usage["promptTokens"], usage["outputTokens"]) == (1, 30, 14)


async def test_many_entries_are_appended_in_order(store: AgentSessionStore) -> None:
    entries = [entry("user", str(number) + "x" * 4_000) for number in range(350)]
    await store.append(KEY, entries)
    assert await store.load(KEY) == entries


@pytest.mark.parametrize("name", ["a/b", "a~2fb", "a:b", "..", "é\n%;\\", "plain-1"])
async def test_any_name_is_possible(store: AgentSessionStore, name: str) -> None:
    assert names_in(session_name("p", name)) == ["p", name]
    key: SessionKey = {"project_key": name, "session_id": name, "subpath": name}
    await store.append({"project_key": name, "session_id": name}, turn())
    await store.append(key, turn()[:1])
    assert await store.list_subkeys({"project_key": name, "session_id": name}) == [name]
    assert [one["session_id"] for one in await store.list_sessions(name)] == [name]


async def test_a_store_sees_only_its_user(store: AgentSessionStore, connection: Connection, app: str) -> None:
    await store.append(KEY, turn())
    other = AgentSessionStore(connection, app_name=app, user_id="users/bob")
    assert await other.load(KEY) is None
    assert await other.list_sessions(KEY["project_key"]) == []
    await other.append(KEY, turn()[:1])
    assert len(await other.load(KEY) or []) == 1


async def test_a_refused_append_says_why(url: str) -> None:
    async with AgentSessionStore(Connection(url), app_name="a/b", user_id="alice") as store:
        with pytest.raises(AgentSessionsError) as refused:
            await store.append(KEY, turn())
    assert refused.value.code
