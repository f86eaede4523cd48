"""Tests of the session with a running service."""

import asyncio
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from agents import Agent, Runner, SessionSettings, function_tool
from agents.memory import OpenAIResponsesCompactionSession, Session
from agents.testing import ScriptedModel
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

from agent_sessions_openai import AgentSession, AgentSessionsError, Connection


def user(text: str) -> Any:
    return {"role": "user", "content": text}


def said(text: str) -> ResponseOutputMessage:
    content = [ResponseOutputText(text=text, type="output_text", annotations=[], logprobs=[])]
    return ResponseOutputMessage(id="1", type="message", role="assistant", content=content, status="completed")  # type: ignore[arg-type]


@function_tool
def weather(city: str) -> str:
    return f"Rain in {city}"


async def test_items_come_back_as_they_were_in_order(session: AgentSession) -> None:
    odd: Any = {"type": "x", "user_id": None, "functionCall": {"a_b": 1.5}, "big": 10**25, "text": "\0\ud800ß"}
    assert isinstance(session, Session)
    assert await session.get_items() == []
    await session.add_items([])
    await session.add_items([user("one"), odd])
    await session.add_items([user("one")])
    assert await session.get_items() == [user("one"), odd, user("one")]


async def test_a_limit_gives_the_newest_items(connection: Connection, app: str) -> None:
    session = AgentSession("s1", app_name=app, user_id="alice", connection=connection, session_settings={"limit": 2})
    items = [user(str(number)) for number in range(5)]
    await session.add_items(items)
    assert await session.get_items() == items[3:]
    assert await session.get_items(4) == items[1:]
    assert await session.get_items(0) == []
    assert await session.get_items(9) == items
    session.session_settings = SessionSettings()
    assert await session.get_items() == items


async def test_pop_takes_back_the_newest_item_only(session: AgentSession) -> None:
    items = [user(str(number)) for number in range(3)]
    assert await session.pop_item() is None
    await session.add_items(items)
    assert await session.pop_item() == items[2]
    assert await session.get_items() == items[:2]
    await session.add_items([items[2]])
    assert await session.get_items() == items
    assert [await session.pop_item() for _ in range(4)] == [items[2], items[1], items[0], None]
    assert await session.get_items() == []


async def test_pop_takes_back_a_call_and_its_output_one_by_one(session: AgentSession) -> None:
    call: Any = {"type": "function_call", "call_id": "c1", "name": "weather", "arguments": '{"city": "Kyoto"}'}
    output: Any = {"type": "function_call_output", "call_id": "c1", "output": "Rain"}
    await session.add_items([user("Umbrella?"), call, output])
    assert await session.pop_item() == output
    assert await session.get_items() == [user("Umbrella?"), call]
    assert await session.pop_item() == call
    assert await session.get_items() == [user("Umbrella?")]


async def test_clear_keeps_the_session_with_its_history(session: AgentSession, url: str, app: str) -> None:
    await session.clear_session()
    await session.add_items([user("one"), user("two")])
    async with httpx.AsyncClient(base_url=f"{url}/apps/{app}/users/alice/sessions/s1") as http:
        details = {"displayName": "Trip", "labels": {"channel": "chat"}, "stateDelta": {"topic": "Kyoto"}}
        (await http.patch("", json=details)).raise_for_status()
        before = (await http.get("", params={"includeRevision": True})).json()
        await session.clear_session()
        assert await session.get_items() == []
        assert await session.pop_item() is None
        await session.add_items([user("three")])
        assert await session.get_items() == [user("three")]
        after = (await http.get("", params={"includeRevision": True})).json()
    assert after["events"][:3] == before["events"]
    assert after["displayName"] == "Trip"
    assert (after["labels"], after["state"]["topic"]) == ({"channel": "chat"}, "Kyoto")
    assert before["etag"].split(".")[1] == after["etag"].split(".")[1]  # the same session
    assert after["revision"] > before["revision"]


async def test_clear_removes_what_others_have_added_as_well(connection: Connection, app: str) -> None:
    mine, other = (AgentSession("s1", app_name=app, user_id="alice", connection=connection) for _ in range(2))
    for number in range(2):
        await mine.add_items([user(f"mine {number}")])
        await other.add_items([user(f"other {number}")])
        await mine.get_items()
    await mine.clear_session()
    assert await other.get_items() == []
    await mine.add_items([user("new")])
    await other.add_items([user("newer")])
    await mine.clear_session()
    await mine.get_items()
    await mine.add_items([user("newest")])
    assert await other.get_items() == [user("newest")]


class Compacting:
    """What the SDK calls instead of OpenAI's API for summaries, while another process adds an item."""

    def __init__(self, meanwhile: Any) -> None:
        self.responses, self.asked, self._meanwhile = self, [], meanwhile

    async def compact(self, **asked: Any) -> Any:
        self.asked.append(asked)
        await self._meanwhile()
        return SimpleNamespace(output=[{"type": "compaction", "id": "c1", "encrypted_content": "secret"}], usage=None)


@pytest.mark.parametrize("manual", [False, True])
async def test_a_compaction_of_the_sdk_loses_nothing_of_others(connection: Connection, app: str, manual: bool) -> None:
    mine, other = (AgentSession("s1", app_name=app, user_id="alice", connection=connection) for _ in range(2))
    client: Any = Compacting(lambda: other.add_items([user("Meanwhile")]))
    session = OpenAIResponsesCompactionSession(
        "s1", mine, client=client, compaction_mode="input", should_trigger_compaction=lambda _: not manual
    )
    model = ScriptedModel()
    model.enqueue([said("Hello, Ada!")])
    await Runner.run(Agent(name="guide", model=model), "My name is Ada.", session=session)
    if manual:
        await session.run_compaction({"force": True})
    assert len(client.asked) == 1
    assert "My name is Ada." in str(client.asked)
    kept = await other.get_items()
    assert [item.get("type") for item in kept] == ["compaction", None]
    assert kept[1] == user("Meanwhile")
    history = (await connection.send("GET", ("apps", app, "users", "alice", "sessions", "s1"))).json()["events"]
    assert [event["content"]["parts"][0]["text"] for event in history if "content" in event][:2] == [
        "My name is Ada.",
        "Hello, Ada!",
    ]


async def test_an_item_between_a_clear_and_the_next_item_comes_after_it(connection: Connection, app: str) -> None:
    mine, other = (AgentSession("s1", app_name=app, user_id="alice", connection=connection) for _ in range(2))
    await mine.add_items([user("one")])
    await mine.clear_session()
    await other.add_items([user("meanwhile")])
    await mine.add_items([user("summary")] + [user(str(number)) for number in range(1_500)])
    kept: list[Any] = [item["content"] for item in await other.get_items()]  # type: ignore[typeddict-item]
    assert kept == ["summary", *(str(number) for number in range(1_500)), "meanwhile"]


async def test_writers_lose_no_item_to_compactions(connection: Connection, app: str) -> None:
    """Each item is in the conversation, or was there when a process read it for its summary."""
    summed: set[str] = set()

    async def write(number: int) -> None:
        session = AgentSession("s1", app_name=app, user_id="alice", connection=connection)
        for item in range(5):
            await session.add_items([user(f"{number}-{item}")])

    async def compact() -> None:
        session = AgentSession("s1", app_name=app, user_id="alice", connection=connection)
        for number in range(5):
            summed.update(str(item["content"]) for item in await session.get_items())  # type: ignore[typeddict-item]
            await asyncio.sleep(0.02)
            await session.get_items()
            await session.clear_session()
            await session.add_items([user(f"summary {number}")])

    await asyncio.gather(compact(), *(write(number) for number in range(8)))
    session = AgentSession("s1", app_name=app, user_id="alice", connection=connection)
    left = {str(item["content"]) for item in await session.get_items()}  # type: ignore[typeddict-item]
    assert {f"{number}-{item}" for number in range(8) for item in range(5)} <= summed | left


async def test_twenty_writers_lose_no_item(connection: Connection, app: str) -> None:
    async def write(number: int) -> None:
        session = AgentSession("s1", app_name=app, user_id="alice", connection=connection)
        await session.add_items([user(f"{number}-0"), user(f"{number}-1")])
        await session.add_items([user(f"{number}-2")])

    await asyncio.gather(*(write(number) for number in range(20)))
    session = AgentSession("s1", app_name=app, user_id="alice", connection=connection)
    stored: list[Any] = [item["content"] for item in await session.get_items()]  # type: ignore[typeddict-item]
    assert sorted(stored) == sorted(f"{number}-{item}" for number in range(20) for item in range(3))
    for number in range(20):
        positions = [stored.index(f"{number}-{item}") for item in range(3)]
        assert positions == sorted(positions)


async def test_each_item_is_popped_once(connection: Connection, app: str) -> None:
    sessions = [AgentSession("s1", app_name=app, user_id="alice", connection=connection) for _ in range(6)]
    await sessions[0].add_items([user(str(number)) for number in range(5)])
    popped: list[Any] = await asyncio.gather(*(session.pop_item() for session in sessions))
    assert sorted(item["content"] for item in popped if item) == list("01234")
    assert popped.count(None) == 1


async def test_a_lost_response_stores_nothing_twice(url: str, app: str) -> None:
    class Losing(httpx.AsyncHTTPTransport):
        """Loses every first response."""

        def __init__(self) -> None:
            super().__init__()
            self.seen: set[bytes] = set()

        async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
            response = await super().handle_async_request(request)
            content = await request.aread()
            if content and response.is_success and content not in self.seen:
                self.seen.add(content)
                await response.aread()
                raise httpx.ReadError("lost", request=request)
            return response

    lossy = Connection(url, http_options={"transport": Losing()})
    async with AgentSession("s1", app_name=app, user_id="alice", connection=lossy) as session:
        await session.add_items([user("one"), user("two")])
        assert await session.pop_item() == user("two")
        assert await session.get_items() == [user("one")]


async def test_an_agent_with_a_tool_is_readable_in_the_console(session: AgentSession, url: str, app: str) -> None:
    model = ScriptedModel()
    model.enqueue(
        [ResponseFunctionToolCall(call_id="c1", name="weather", arguments='{"city": "Kyoto"}', type="function_call")]
    )
    model.enqueue([said("Take an umbrella to the temple.")])
    model.enqueue([said("Yes.")])
    agent = Agent(name="guide", model=model, tools=[weather])
    await Runner.run(agent, "What shall I take to Kyoto?", session=session)
    await Runner.run(agent, "Really?", session=session)
    assert len(model.calls[-1].input) == 5
    path = f"{url}/apps/{app}/users/alice"
    async with httpx.AsyncClient() as http:
        events = (await http.get(f"{path}/sessions/s1")).json()["events"]
        found = (await http.post(f"{path}/events:search", json={"q": "umbrella"})).json()
    assert [event["author"] for event in events] == ["user"] + ["assistant"] * 3 + ["user", "assistant"]
    parts = [event["content"]["parts"][0] for event in events]
    assert parts[0] == {"text": "What shall I take to Kyoto?"}
    assert parts[1] == {"functionCall": {"id": "c1", "name": "weather", "args": {"city": "Kyoto"}}}
    response = {"id": "c1", "name": "weather", "response": {"result": "Rain in Kyoto"}}
    assert parts[2] == {"functionResponse": response}
    assert parts[3] == {"text": "Take an umbrella to the temple."}
    assert events[3]["id"] in str(found)


@pytest.mark.parametrize("name", ["a/b", "a~2fb", "..", "é\n%;\\", "plain-1"])
async def test_any_name_is_possible(connection: Connection, app: str, name: str) -> None:
    session = AgentSession(name, app_name=app, user_id="users/bob", connection=connection)
    await session.add_items([user(name)])
    assert await session.get_items() == [user(name)]
    assert await AgentSession(name, app_name=app, user_id="alice", connection=connection).get_items() == []


async def test_a_refused_request_says_why(connection: Connection) -> None:
    session = AgentSession("s1", app_name="a/b", user_id="alice", connection=connection)
    with pytest.raises(AgentSessionsError) as refused:
        await session.add_items([user("one")])
    assert refused.value.code
