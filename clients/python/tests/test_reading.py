"""An event that ADK cannot hold costs the smallest part that is wrong, and never the session."""

from __future__ import annotations

import copy
import inspect
import logging
import time
import typing
from collections.abc import Iterator
from typing import Any

import pytest
from google.adk.events.event import Event
from google.adk.events.event_actions import EventActions
from pydantic import BaseModel

from agent_sessions_adk import AgentSessionService
from agent_sessions_adk._reading import UNREADABLE, read_event

EVENT: dict[str, Any] = {
    "id": "e1",
    "author": "agent",
    "invocationId": "i",
    "timestamp": 1.5,
    "content": {"role": "model", "parts": [{"text": "Hello"}, {"functionResponse": {"name": "f", "response": {}}}]},
    "actions": {"stateDelta": {"k": 1}},
}


@pytest.mark.parametrize(
    ("place", "value", "path"),
    [
        (("content", "parts", 1, "functionResponse", "response"), "text", "content.parts.1.functionResponse.response"),
        (("content", "parts", 0, "thoughtSignature"), "no Base64!", "content.parts.0.thoughtSignature"),
        (("content", "parts", 0, "mediaResolution"), {"level": 7}, "content.parts.0.mediaResolution.level"),
        (("usageMetadata",), {"promptTokenCount": 1.5}, "usageMetadata.promptTokenCount"),
        (("customMetadata",), [{"key": "k"}], "customMetadata"),
        (("actions", "compaction"), {"startTimestamp": 1}, "actions.compaction"),
        pytest.param(
            ("actions", "route"),
            1.5,
            "actions.route",
            marks=pytest.mark.skipif("route" not in EventActions.model_fields, reason="an early version of ADK"),
        ),
    ],
)
def test_leaves_out_only_what_is_wrong(
    place: tuple[Any, ...], value: Any, path: str, caplog: pytest.LogCaptureFixture
) -> None:
    data = copy.deepcopy(EVENT)
    parent: Any = data
    for step in place[:-1]:
        parent = parent[step]
    parent[place[-1]] = value
    data["id"] = path
    with caplog.at_level(logging.WARNING):
        event = read_event(copy.deepcopy(data), "s1")
        read_event(data, "s1")
    assert event.custom_metadata == {UNREADABLE: [path]}
    assert event.content
    assert event.content.parts
    assert event.content.parts[0].text == "Hello"
    assert event.actions.state_delta == {"k": 1}
    assert [record.getMessage() for record in caplog.records] == [
        f"Session s1: ADK cannot hold these parts of the event {path}, which are left out: {path}"
    ]


def test_reads_an_event_with_any_wrong_value() -> None:
    count = 0
    for fields in wrong_fields(Event, ()):
        event = read_event({**copy.deepcopy(EVENT), **fields}, "s1")
        count += UNREADABLE in (event.custom_metadata or {})
        assert event.actions.state_delta == {"k": 1} or "actions" in fields
    assert count > 500


@pytest.mark.parametrize(
    ("wrong", "path"),
    [
        ({"functionResponse": {"name": "f", "response": "text"}}, ".functionResponse.response"),
        ({"mediaResolution": {"level": 7}}, ".mediaResolution.level"),
        ("text", ""),
    ],
)
def test_reads_an_event_with_thousands_of_wrong_values_in_seconds(wrong: Any, path: str) -> None:
    parts = [copy.deepcopy(wrong) for _ in range(4000)]
    start = time.process_time()
    event = read_event({**copy.deepcopy(EVENT), "content": {"parts": [{"text": "Hello"}, *parts]}}, "s1")
    assert time.process_time() - start < 5
    assert event.custom_metadata == {UNREADABLE: [f"content.parts.{index}{path}" for index in range(1, 4001)]}
    assert event.content
    assert event.content.parts
    assert (event.content.parts[0].text, len(event.content.parts)) == ("Hello", 4001 if path else 1)


async def test_keeps_the_session_and_stores_a_readable_event_next(service: AgentSessionService, app: str) -> None:
    session = await service.create_session(app_name=app, user_id="alice")
    data = {**copy.deepcopy(EVENT), "customMetadata": [{"key": "k", "stringValue": "v"}]}
    response = await service._transport.client().post(
        f"/apps/{app}/users/alice/sessions/{session.id}/events",
        json=data,
        headers=await service._authorization(app, "alice"),
    )
    assert response.status_code == 200
    read = await service.get_session(app_name=app, user_id="alice", session_id=session.id)
    assert read
    assert read.events[0].custom_metadata == {UNREADABLE: ["customMetadata"]}
    await service.append_event(read, Event(author="user", invocation_id="i2"))


def wrong_fields(model: type[BaseModel], seen: tuple[Any, ...]) -> Iterator[dict[str, Any]]:
    """Objects with one value of another type, for each field of a model to the leaves."""
    for name, field in () if model in seen else model.model_fields.items():
        alias = field.alias or name
        if not seen and alias in ("id", "author", "timestamp"):
            continue  # the service has rules of its own for them
        for value in ["no Base64 or number!", 7, 1.5, True, ["x"], {}]:
            yield {alias: value}
        for wrap, inner in models(field.annotation):
            for fields in wrong_fields(inner, (*seen, model)):
                yield {alias: wrap(fields)}


def models(annotation: Any) -> Iterator[tuple[Any, type[BaseModel]]]:
    for kind in (annotation, *typing.get_args(annotation)):
        inner = typing.get_args(kind)
        if typing.get_origin(kind) is list:
            yield from ((lambda value, wrap=wrap: [wrap(value)], model) for wrap, model in models(inner[0]))
        elif typing.get_origin(kind) is dict:
            yield from ((lambda value, wrap=wrap: {"key": wrap(value)}, model) for wrap, model in models(inner[1]))
        elif inspect.isclass(kind) and issubclass(kind, BaseModel):
            yield (lambda value: value), kind
