"""Tests of the store with a running service."""

import asyncio
import copy
import dataclasses
import random

import httpx
import pytest
from pydantic_ai import Agent, BinaryContent
from pydantic_ai.conversation import Conversation
from pydantic_ai.conversation_store import (
    ConversationConflict,
    ConversationEntry,
    ConversationRecord,
    ConversationStore,
    InMemoryConversationStore,
)
from pydantic_ai.messages import (
    ModelMessage,
    ModelMessagesTypeAdapter,
    ModelRequest,
    ModelResponse,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models.function import AgentInfo, FunctionModel

from agent_sessions_pydantic import AgentSessionsError, AgentSessionsStore, Connection


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


def said(*texts: str) -> list[ModelMessage]:
    return [
        ModelResponse(parts=[TextPart(text)]) if number % 2 else ModelRequest(parts=[UserPromptPart(text)])
        for number, text in enumerate(texts)
    ]


def text_of(message: ModelMessage) -> str:
    return "".join(str(getattr(part, "content", "")) for part in message.parts)


async def texts(store: ConversationStore, conversation_id: str = "c1", limit: int | None = None) -> list[str]:
    conversation = await store.load(conversation_id, limit=limit)
    assert conversation is not None
    return [text_of(message) for message in conversation.messages]


async def saved(store: ConversationStore, *messages: str, conversation_id: str = "c1") -> Conversation:
    conversation = Conversation(messages=said(*messages), conversation_id=conversation_id)
    await store.save(conversation)
    return conversation


async def events(url: str, app: str, session_id: str = "c1") -> list[dict[str, object]]:
    """Returns the events of entries."""
    async with httpx.AsyncClient() as http:
        found = (await http.get(f"{url}/apps/{app}/users/alice/sessions/{session_id}")).json()["events"]
    return [event for event in found if "customMetadata" in event]


def weather(city: str) -> str:
    """Returns the weather."""
    return f"Rain in {city}"


async def test_messages_come_back_as_they_were(store: AgentSessionsStore) -> None:
    picture = BinaryContent(data=b"\0\1\xff", media_type="image/png")
    messages: list[ModelMessage] = [
        ModelRequest(parts=[UserPromptPart(["\0\ud800ß", picture])], metadata={"z": 1.0, "a": [10**25, None]}),
        ModelResponse(parts=[ThinkingPart("hm", signature="s"), ToolCallPart("weather", '{"city": ', "c1")]),
        ModelRequest(parts=[ToolReturnPart("weather", {"data": b"\0\xff"}, "c1")]),
    ]
    await store.save(Conversation(messages=messages, conversation_id="team/1"))
    back = await store.load("team/1")
    assert back is not None
    assert ModelMessagesTypeAdapter.dump_python(back.messages, mode="json") == ModelMessagesTypeAdapter.dump_python(
        messages, mode="json"
    )
    assert (await store.load("team~2f1")) is None


async def test_an_agent_continues_a_conversation_of_another_process(url: str, app: str) -> None:
    asked: list[list[ModelMessage]] = []

    def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        asked.append(list(messages))
        if len(messages) == 1:
            return ModelResponse(parts=[ToolCallPart("weather", {"city": "Kyoto"}, "c1")])
        return ModelResponse(parts=[TextPart("Take an umbrella to the temple." if len(messages) == 3 else "Yes.")])

    for question in ("What shall I take to Kyoto?", "Really?"):
        async with AgentSessionsStore(Connection(url), app_name=app, user_id="alice") as store:
            conversation = await store.load("c1") or Conversation(conversation_id="c1")
            result = await Agent(FunctionModel(answer), tools=[weather]).run(question, conversation=conversation)
            entries = await store.save(result)
    assert [text_of(message) for message in asked[-1]][-1] == "Really?"
    assert len(asked[-1]) == 5
    stored = await events(url, app)
    assert [event["id"] for event in stored][-2:] == [entry.id for entry in entries]
    assert [event["author"] for event in stored] == ["user", "assistant", "assistant", "assistant", "user", "assistant"]
    turns = [event["invocationId"] for event in stored]
    assert turns == [turns[0]] * 4 + [turns[5]] * 2
    assert turns[0] != turns[5]
    parts = [event["content"]["parts"][0] for event in stored]  # type: ignore[index]
    assert parts[0] == {"text": "What shall I take to Kyoto?"}
    assert parts[1] == {"functionCall": {"id": "c1", "name": "weather", "args": {"city": "Kyoto"}}}
    response = {"id": "c1", "name": "weather", "response": {"result": "Rain in Kyoto"}}
    assert parts[2] == {"functionResponse": response}
    assert stored[3]["usageMetadata"]["promptTokenCount"] > 0  # type: ignore[index]
    async with httpx.AsyncClient() as http:
        found = await http.post(f"{url}/apps/{app}/users/alice/events:search", json={"q": "umbrella"})
    assert str(stored[3]["id"]) in found.text


async def test_a_branch_leaves_a_history_that_can_be_continued(
    store: AgentSessionsStore, other: AgentSessionsStore
) -> None:
    await saved(store, "one", "two", "three", "four")
    entries = await store.load_entries("c1")
    assert entries is not None
    loaded = await store.load("c1")
    assert loaded is not None
    branched = await store.branch("c1", at=2, expected_revision=loaded.revision)
    branched.messages += said("five", "six")
    await store.save(branched)
    assert await texts(other) == ["one", "two", "five", "six"]
    assert await texts(other, limit=3) == ["two", "five", "six"]
    assert await texts(other, limit=1) == ["six"]
    back = await other.branch("c1", from_entry=entries[3].id, expected_revision=branched.revision)
    assert [text_of(message) for message in back.messages] == ["one", "two", "three", "four"]
    assert await texts(store, limit=2) == ["three", "four"]
    with pytest.raises(ConversationConflict):
        await store.branch("c1", at=1, expected_revision=branched.revision)


async def test_a_fork_outlives_its_source(
    store: AgentSessionsStore, other: AgentSessionsStore, url: str, app: str
) -> None:
    await saved(store, "one", "two", "three", "four")
    entries = await store.load_entries("c1")
    assert entries is not None
    fork = await store.fork("c1", at=2, new_conversation_id="f1")
    fork.messages += said("five")
    await store.save(fork)
    assert [event["id"] for event in await events(url, app, "f1")][:2] == [entry.id for entry in entries[:2]]
    assert await texts(other) == ["one", "two", "three", "four"]
    await other.delete("c1")
    assert await store.load("c1") is None
    assert await texts(other, "f1") == ["one", "two", "five"]
    assert await texts(store, "f1", limit=2) == ["two", "five"]
    assert (await store.read_entry(entries[1].id)).message == entries[1].message
    assert (await other.read_entry(str(entries[1].id))).parent_id == entries[0].id
    assert len(await store.read_history(entries[1].id)) == 2
    with pytest.raises(LookupError):
        await store.read_entry(entries[3].id)
    with pytest.raises(LookupError):
        await other.read_history(str(entries[3].id))
    again = await other.fork("f1", new_conversation_id="f2")
    again.messages += said("six")
    await other.save(again)
    await other.delete("f1")
    assert await texts(store, "f2") == ["one", "two", "five", "six"]


async def test_a_fork_of_what_was_deleted_meanwhile_is_a_conflict(store: AgentSessionsStore) -> None:
    await saved(store, "one")
    record = await store.read_record("c1")
    assert record is not None
    await store.delete("c1")
    fork = ConversationRecord(conversation_id="f1", head_id=record.head_id)
    with pytest.raises(ConversationConflict):
        await store.write_record(fork, expected_revision=None)
    orphan = ConversationEntry(parent_id="gone", message=said("one")[0])
    fork.head_id = orphan.id
    with pytest.raises(ConversationConflict):
        await store.write_record(fork, new_entries=[orphan], expected_revision=None)
    assert await store.list_conversations() == []


async def test_another_revision_is_a_conflict(store: AgentSessionsStore, other: AgentSessionsStore) -> None:
    mine = await saved(store, "one")
    theirs = await other.load("c1")
    assert theirs is not None
    theirs.messages += said("two")
    await other.save(theirs)
    mine.messages += said("three")
    with pytest.raises(ConversationConflict):
        await store.save(mine)
    with pytest.raises(ConversationConflict):
        await saved(store, "new")
    with pytest.raises(ConversationConflict):
        await store.delete_record("c1", expected_revision=mine.revision or "")
    assert await texts(store) == ["one", "two"]
    await store.delete("c1")
    with pytest.raises(ConversationConflict):
        await other.save(theirs)
    with pytest.raises(ConversationConflict):
        await store.delete_record("c1", expected_revision=theirs.revision or "")
    assert await store.load("c1") is None
    await store.delete("c1")


async def test_twenty_writers_store_each_entry_once(connection: Connection, url: str, app: str) -> None:
    async def write(number: int) -> None:
        store = AgentSessionsStore(connection, app_name=app, user_id="alice")
        while True:
            conversation = await store.load("c1") or Conversation(conversation_id="c1")
            conversation.messages += said(f"{number}-0", f"{number}-1")
            try:
                await store.save(conversation)
                return
            except ConversationConflict:
                await asyncio.sleep(random.uniform(0, 0.5))

    await asyncio.gather(*(write(number) for number in range(20)))
    found = await texts(AgentSessionsStore(connection, app_name=app, user_id="alice"))
    assert sorted(found) == sorted(f"{number}-{message}" for number in range(20) for message in range(2))
    assert all(found[position + 1] == found[position][:-1] + "1" for position in range(0, 40, 2))
    assert len(await events(url, app)) == 40


async def test_a_lost_response_stores_nothing_twice(url: str, app: str) -> None:
    lossy = Connection(url, http_options={"transport": Losing()})
    async with AgentSessionsStore(lossy, app_name=app, user_id="alice") as store:
        conversation = await saved(store, "one", "two")
        conversation.messages += said("three")
        await store.save(conversation)
        await store.fork("c1", new_conversation_id="f1")
        assert await texts(store) == ["one", "two", "three"]
        assert await texts(store, "f1") == ["one", "two", "three"]
        assert len(await events(url, app)) == 3
        await store.delete("c1")


async def test_more_messages_than_one_request_takes(store: AgentSessionsStore, other: AgentSessionsStore) -> None:
    messages = [str(number) for number in range(230)]
    await saved(store, *messages)
    await other.fork("c1", new_conversation_id="f1")
    await store.delete("c1")
    assert await texts(store, "f1") == messages
    assert await texts(store, "f1", limit=2) == ["228", "229"]


async def test_other_events_are_no_conflict(store: AgentSessionsStore, url: str, app: str) -> None:
    conversation = await saved(store, "one")
    async with httpx.AsyncClient() as http:
        path = f"{url}/apps/{app}/users/alice/sessions"
        note = {"author": "console", "invocationId": "note", "actions": {"stateDelta": {"seen": True}}}
        assert (await http.post(f"{path}/c1/events", json=note)).is_success
        assert (await http.post(path, json={"sessionId": "of another framework"})).is_success
        assert (await http.post(f"{path}/c1:fork", json={"sessionId": "of the console"})).is_success
    conversation.messages += said("two")
    await store.save(conversation)
    assert await texts(store) == ["one", "two"]
    assert [record.conversation_id for record in await store.list_conversations()] == ["c1"]


async def test_conversations_are_listed_as_by_the_store_in_memory(store: AgentSessionsStore) -> None:
    memory = InMemoryConversationStore()
    for name, scope in (("a", "x"), ("b", "y"), ("c", "x")):
        await store.save(Conversation(messages=said(name), conversation_id=name), scope=scope)
    first = await store.load("a")
    assert first is not None
    await store.save(first)
    with pytest.raises(ConversationConflict):
        await store.save(first, scope="y")
    for name in ("a", "b", "c"):
        record = await store.read_record(name)
        assert record is not None
        assert copy.deepcopy(record) == record
        await memory.write_record(
            dataclasses.replace(record), new_entries=await store.read_history(record.head_id), expected_revision=None
        )
    for wanted, limit in ((None, None), (None, 2), ("x", None), ("x", 1), ("z", None), (None, 0)):
        listed = await store.list_conversations(scope=wanted, limit=limit)
        assert listed == await memory.list_conversations(scope=wanted, limit=limit)
    assert [record.conversation_id for record in await store.list_conversations()] == ["a", "c", "b"]
    assert await store.load("b", scope="x") is None


@pytest.mark.parametrize("name", ["a/b", "a~2fb", "..", "é\n%;\\", "plain-1"])
async def test_any_name_is_possible(connection: Connection, app: str, name: str) -> None:
    store = AgentSessionsStore(connection, app_name=app, user_id="users/bob")
    await saved(store, name, conversation_id=name)
    assert await texts(store, name) == [name]
    assert await AgentSessionsStore(connection, app_name=app, user_id="alice").load(name) is None


async def test_a_refused_request_says_why(connection: Connection) -> None:
    with pytest.raises(AgentSessionsError) as refused:
        await saved(AgentSessionsStore(connection, app_name="a/b", user_id="alice"), "one")
    assert refused.value.code
