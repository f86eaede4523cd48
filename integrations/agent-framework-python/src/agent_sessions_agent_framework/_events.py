# SPDX-License-Identifier: Apache-2.0
"""Makes an event of a message: the message as it is, and what the console and the search read of it."""

import json
from collections.abc import Mapping
from typing import Any

#: The key of `customMetadata` under which an event has the message.
MESSAGE = "agent_framework"


def event_of(event_id: str, turn: str, message: Mapping[str, Any], tools: Mapping[str, str]) -> dict[str, Any]:
    """Returns the event of a message.

    Args:
        event_id: The id of the event.
        turn: The id of the event with the last question of a user, which names the turn.
        message: The message as JSON, which `customMetadata` has unchanged.
        tools: The names of tools by the ids of their calls, as far as they are known.
    """
    role = message["role"]
    parts = [part for content in message.get("contents") or [] for part in _parts_of(content, tools)]
    event = {
        "id": event_id,
        "invocationId": turn,
        "author": role if role in ("user", "system") else message.get("author_name") or "assistant",
        "customMetadata": {MESSAGE: message},
    }
    asked = role in ("user", "tool")
    return event | ({"content": {"role": "user" if asked else "model", "parts": parts}} if parts else {})


def tools_in(messages: list[Any]) -> dict[str, str]:
    """Returns the names of the tools that the messages call, by the ids of the calls."""
    contents = [content for message in messages for content in message.get("contents") or []]
    calls = [part.get("functionCall") for content in contents for part in _parts_of(content, {})]
    return {call["id"]: call["name"] for call in calls if call}


def _parts_of(content: Mapping[str, Any], tools: Mapping[str, str]) -> list[dict[str, Any]]:
    kind, call, text = content.get("type"), _text(content.get("call_id")), _text(content.get("text"))
    if kind == "text" and text:
        return [{"text": text}]
    if kind == "text_reasoning" and text:
        return [{"text": text, "thought": True}]
    if kind == "function_call" and call and _text(content.get("name")):
        return [{"functionCall": {"id": call, "name": content["name"], "args": _arguments(content.get("arguments"))}}]
    if kind == "function_result" and call:
        answer = "error" if content.get("exception") else "result"
        name = {"name": tools[call]} if call in tools else {}
        return [{"functionResponse": {"id": call, **name, "response": {answer: content.get("result")}}}]
    return []


def _arguments(arguments: Any) -> dict[str, Any]:
    try:
        read = json.loads(arguments) if isinstance(arguments, str) else arguments
    except ValueError:
        read = None
    return dict(read) if isinstance(read, Mapping) else {"arguments": arguments}


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None
