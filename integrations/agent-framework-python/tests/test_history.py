"""Tests of the history with a running service."""

import asyncio
import json

import httpx
import pytest
from agent_framework import Agent, Content, Message
from scripted_client import ScriptedClient

from agent_sessions_agent_framework import AgentHistoryProvider, AgentSessionsError, Connection


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


def said(*messages: str) -> list[Message]:
    return [Message("assistant" if number % 2 else "user", [text]) for number, text in enumerate(messages)]


async def stored(history: AgentHistoryProvider, session_id: str = "s1") -> list[str]:
    return [message.text for message in await history.get_messages(session_id)]


def weather(city: str) -> str:
    """Returns the weather."""
    return f"Rain in {city}"


async def test_messages_come_back_as_they_were_in_order(history: AgentHistoryProvider) -> None:
    picture = Content.from_data(b"\0\1", media_type="image/png")
    odd = Message("x", ["\0\ud800ß", picture], author_name="a/b", additional_properties={"a_b": [1.0, 10**25, None]})
    assert await history.get_messages("s1") == []
    await history.save_messages("s1", [])
    await history.save_messages("s1", [*said("one"), odd])
    await history.save_messages("s1", said("one"))
    back = await history.get_messages("s1")
    assert [json.dumps(message.to_dict()) for message in back] == [
        json.dumps(message.to_dict()) for message in [*said("one"), odd, *said("one")]
    ]


async def test_no_message_creates_no_session(history: AgentHistoryProvider, url: str, app: str) -> None:
    await history.save_messages("s1", [])
    async with httpx.AsyncClient() as http:
        assert (await http.get(f"{url}/apps/{app}/users/alice/sessions/s1")).status_code == 404


async def test_what_is_saved_again_is_stored_once(history: AgentHistoryProvider) -> None:
    messages = said("one", "two", "three", "four")
    await history.save_messages("s1", messages[:2])
    await history.save_messages("s1", messages[:2])
    await history.save_messages("s1", messages)
    await history.save_messages("s1", messages)
    assert await stored(history) == ["one", "two", "three", "four"]


async def test_a_message_with_an_id_is_stored_once_whatever_follows_it(history: AgentHistoryProvider) -> None:
    one = Message("user", ["one"], message_id="m1")
    await history.save_messages("s1", [one])
    await history.save_messages("s1", said("two"))
    await history.save_messages("s1", [one, Message("assistant", ["three"], message_id="m2")])
    await history.save_messages("s1", [one])
    await history.save_messages("s1", [Message("assistant", ["other"], message_id="m1")])
    assert await stored(history) == ["one", "two", "three", "other"]


async def test_more_messages_than_one_request_takes(history: AgentHistoryProvider) -> None:
    messages = said(*(str(number) for number in range(230)))
    await history.save_messages("s1", messages)
    await history.save_messages("s1", messages)
    assert await stored(history) == [str(number) for number in range(230)]


async def test_twenty_writers_lose_no_message(connection: Connection, app: str) -> None:
    async def write(number: int) -> None:
        history = AgentHistoryProvider(connection, app_name=app, user_id="alice")
        await history.save_messages("s1", said(f"{number}-0", f"{number}-1"))
        await history.save_messages("s1", said(f"{number}-2", "yes"))

    await asyncio.gather(*(write(number) for number in range(20)))
    texts = await stored(AgentHistoryProvider(connection, app_name=app, user_id="alice"))
    assert texts.count("yes") == 20
    assert sorted(text for text in texts if text != "yes") == sorted(
        f"{number}-{message}" for number in range(20) for message in range(3)
    )
    for number in range(20):
        positions = [texts.index(f"{number}-{message}") for message in range(3)]
        assert positions == sorted(positions)


async def test_a_lost_response_stores_nothing_twice(url: str, app: str) -> None:
    lossy = Connection(url, http_options={"transport": Losing()})
    async with AgentHistoryProvider(lossy, app_name=app, user_id="alice") as history:
        await history.save_messages("s1", said("one"))
        await history.save_messages("s1", said("one"))
        assert await stored(history) == ["one", "one"]


async def test_an_agent_with_a_tool_is_readable_in_the_console(
    history: AgentHistoryProvider, url: str, app: str
) -> None:
    call = Content.from_function_call("c1", "weather", arguments='{"city": "Kyoto"}')
    client = ScriptedClient(call, "Take an umbrella to the temple.", "Yes.")
    agent = Agent(client, name="guide", tools=[weather], context_providers=[history])
    session = agent.create_session(session_id="s1")
    await agent.run("What shall I take to Kyoto?", session=session)
    await agent.run("Really?", session=session)
    assert len(client.asked[-1]) == 5
    path = f"{url}/apps/{app}/users/alice"
    async with httpx.AsyncClient() as http:
        events = (await http.get(f"{path}/sessions/s1")).json()["events"]
        found = (await http.post(f"{path}/events:search", json={"q": "umbrella"})).json()
    assert [event["author"] for event in events] == ["user"] + ["guide"] * 3 + ["user", "guide"]
    turns = [event["invocationId"] for event in events]
    assert turns == [events[0]["id"]] * 4 + [events[4]["id"]] * 2
    parts = [event["content"]["parts"][0] for event in events]
    assert parts[0] == {"text": "What shall I take to Kyoto?"}
    assert parts[1] == {"functionCall": {"id": "c1", "name": "weather", "args": {"city": "Kyoto"}}}
    response = {"id": "c1", "name": "weather", "response": {"result": "Rain in Kyoto"}}
    assert parts[2] == {"functionResponse": response}
    assert parts[3] == {"text": "Take an umbrella to the temple."}
    assert events[3]["id"] in str(found)


async def test_a_turn_that_is_rewound_is_left_out(history: AgentHistoryProvider, url: str, app: str) -> None:
    await history.save_messages("s1", said("one", "two", "three", "four"))
    path = f"{url}/apps/{app}/users/alice/sessions/s1"
    async with httpx.AsyncClient() as http:
        events = (await http.get(path)).json()["events"]
        await http.post(f"{path}:rewind", json={"beforeInvocationId": events[2]["invocationId"]})
    assert await stored(history) == ["one", "two"]
    await history.save_messages("s1", said("three", "four"))
    assert await stored(history) == ["one", "two", "three", "four"]


@pytest.mark.parametrize("name", ["a/b", "a~2fb", "..", "é\n%;\\", "plain-1"])
async def test_any_name_is_possible(connection: Connection, app: str, name: str) -> None:
    history = AgentHistoryProvider(connection, app_name=app, user_id="users/bob")
    await history.save_messages(name, said(name))
    assert await stored(history, name) == [name]
    assert await stored(AgentHistoryProvider(connection, app_name=app, user_id="alice"), name) == []


async def test_a_history_without_a_session_is_refused(history: AgentHistoryProvider) -> None:
    with pytest.raises(ValueError, match="id of its session"):
        await history.save_messages(None, said("one"))


async def test_a_refused_request_says_why(connection: Connection) -> None:
    history = AgentHistoryProvider(connection, app_name="a/b", user_id="alice")
    with pytest.raises(AgentSessionsError) as refused:
        await history.save_messages("s1", said("one"))
    assert refused.value.code
