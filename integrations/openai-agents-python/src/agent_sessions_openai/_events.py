# SPDX-License-Identifier: Apache-2.0
"""Makes an event of an item of a conversation: the item as it is, and what the console and the search read of it."""

import json
from collections.abc import Mapping
from typing import Any

#: The key of `customMetadata` under which an event has the item.
ITEM = "openai"


def event_of(event_id: str, item: Mapping[str, Any], tools: Mapping[str, str]) -> dict[str, Any]:
    """Returns the event of an item.

    Args:
        event_id: The id of the event, and of a turn with nothing but the item. The service takes back whole turns, and
            `pop_item` one item.
        item: The item, which `customMetadata` has unchanged.
        tools: The names of tools by the ids of their calls, as far as they are known.
    """
    role = item.get("role")
    parts = _parts_of(item, tools)
    asked = role == "user" or item.get("type") == "function_call_output"
    event = {
        "id": event_id,
        "invocationId": event_id,
        "author": role if role in ("user", "system", "developer") else "assistant",
        "customMetadata": {ITEM: item},
    }
    return event | ({"content": {"role": "user" if asked else "model", "parts": parts}} if parts else {})


def tools_in(items: list[Any]) -> dict[str, str]:
    """Returns the names of the tools that the items call, by the ids of the calls."""
    calls = [item for item in items if item.get("type") == "function_call"]
    return {call["call_id"]: call["name"] for call in calls if _text(call.get("call_id")) and _text(call.get("name"))}


def _parts_of(item: Mapping[str, Any], tools: Mapping[str, str]) -> list[dict[str, Any]]:
    kind, call = item.get("type"), _text(item.get("call_id"))
    if kind == "function_call" and call and _text(item.get("name")):
        return [{"functionCall": {"id": call, "name": item["name"], "args": _arguments(item.get("arguments"))}}]
    if kind == "function_call_output" and call:
        name = {"name": tools[call]} if call in tools else {}
        return [{"functionResponse": {"id": call, **name, "response": {"result": item.get("output")}}}]
    if kind == "reasoning":
        return [{"text": text, "thought": True} for text in _texts(item.get("summary"))]
    return [{"text": text} for text in _texts(item.get("content"))]


def _texts(content: Any) -> list[str]:
    if isinstance(content, list):
        content = [part.get("text") or part.get("refusal") for part in content if isinstance(part, Mapping)]
    return [text for text in ([content] if isinstance(content, str) else content or []) if _text(text)]


def _arguments(arguments: Any) -> dict[str, Any]:
    try:
        read = json.loads(arguments)
    except (TypeError, ValueError):
        read = None
    return read if isinstance(read, dict) else {"arguments": arguments}


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None
