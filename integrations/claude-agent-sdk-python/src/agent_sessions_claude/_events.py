# SPDX-License-Identifier: Apache-2.0
"""Makes an event of an entry of a transcript: the entry as it is, and what the console and the search read of it."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

#: The key of `customMetadata` under which an event has the entry.
ENTRY = "claude"
_AGENT = "claude"


def event_of(
    event_id: str, entry: Mapping[str, Any], turn: str | None, counted: bool, tools: Mapping[str, str]
) -> dict[str, Any]:
    """Returns the event of an entry.

    Args:
        event_id: The id of the event.
        entry: The entry, which `customMetadata` has unchanged.
        turn: The id of the event with the last question of a user, which names the turn.
        counted: Whether the tokens of the entry count. A message with several blocks is several entries, and each has
            the tokens of the whole message.
        tools: The names of tools by the ids of their calls, as far as they are known.
    """
    message = _message(entry)
    asks = is_question(entry)
    parts = [part for block in _blocks(message) for part in _parts_of(block, tools)]
    event = {
        "id": event_id,
        "author": "user" if asks else _AGENT,
        "invocationId": event_id if asks else turn,
        "timestamp": _seconds(entry.get("timestamp")),
        "content": {"role": "model" if message.get("role") == "assistant" else "user", "parts": parts}
        if parts
        else None,
        "modelVersion": _text(message.get("model")),
        "usageMetadata": _usage(message.get("usage")) if counted else None,
        "customMetadata": {ENTRY: entry},
    }
    return {name: value for name, value in event.items() if value is not None}


def message_id(entry: Mapping[str, Any]) -> str | None:
    """Returns the id of the model's message of which the entry is a part."""
    return _text(_message(entry).get("id"))


def tools_in(entry: Mapping[str, Any]) -> dict[str, str]:
    """Returns the names of the tools that the entry calls, by the ids of the calls."""
    parts = [part for block in _blocks(_message(entry)) for part in _parts_of(block, {})]
    return {part["functionCall"]["id"]: part["functionCall"]["name"] for part in parts if "functionCall" in part}


def is_question(entry: Mapping[str, Any]) -> bool:
    """Whether the entry is what a user has said, and not the result of a tool or a note of the program."""
    blocks = _blocks(_message(entry))
    if entry.get("type") != "user" or entry.get("isMeta") is True or not blocks:
        return False
    return not any(block.get("type") == "tool_result" for block in blocks)


def _message(entry: Mapping[str, Any]) -> Mapping[str, Any]:
    message = entry.get("message")
    return message if isinstance(message, Mapping) else {}


def _blocks(message: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    content = message.get("content")
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [block for block in content if isinstance(block, Mapping)] if isinstance(content, list) else []


def _parts_of(block: Mapping[str, Any], tools: Mapping[str, str]) -> list[dict[str, Any]]:
    kind, call = block.get("type"), _text(block.get("id") or block.get("tool_use_id"))
    if kind == "text" and _text(block.get("text")):
        return [{"text": block["text"]}]
    if kind == "thinking" and _text(block.get("thinking")):
        return [{"text": block["thinking"], "thought": True}]
    if kind == "tool_use" and call and _text(block.get("name")) and isinstance(block.get("input"), Mapping):
        return [{"functionCall": {"id": call, "name": block["name"], "args": block["input"]}}]
    if kind == "tool_result" and call:
        answer = {"error" if block.get("is_error") is True else "result": block.get("content")}
        name = {"name": tools[call]} if call in tools else {}
        return [{"functionResponse": {"id": call, **name, "response": answer}}]
    return []


def _usage(usage: Any) -> dict[str, int] | None:
    if not isinstance(usage, Mapping):
        return None
    read = _count(usage.get("cache_read_input_tokens"))
    prompt = _count(usage.get("input_tokens")) + _count(usage.get("cache_creation_input_tokens")) + read
    output = _count(usage.get("output_tokens"))
    return {
        "promptTokenCount": prompt,
        "cachedContentTokenCount": read,
        "candidatesTokenCount": output,
        "totalTokenCount": prompt + output,
    }


def _count(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


def _seconds(timestamp: Any) -> float | None:
    try:
        return datetime.fromisoformat(timestamp.replace("Z", "+00:00")).timestamp()
    except (AttributeError, TypeError, ValueError):
        return None
