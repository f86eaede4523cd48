# SPDX-License-Identifier: Apache-2.0
"""Makes an event of an entry and back: the entry as it is, and what the console and the search read of it."""

import json
from collections.abc import Mapping
from typing import Any

from pydantic import ConfigDict, TypeAdapter
from pydantic_ai.conversation_store import ConversationEntry, ConversationRecord

#: The key of `customMetadata` under which an event has the entry.
ENTRY = "pydantic_ai"
#: The key of the session's state with the record, and with the id of the event that has set it.
RECORD = "pydantic_ai_conversation"

_BYTES = ConfigDict(ser_json_bytes="base64", val_json_bytes="base64")
_ENTRIES = TypeAdapter(list[ConversationEntry], config=_BYTES)  # Pydantic takes a configuration for lists only
_RECORDS = TypeAdapter(list[ConversationRecord], config=_BYTES)


def event_of(entry: ConversationEntry) -> dict[str, Any]:
    """Returns the event of an entry, which has the entry's id."""
    (stored,) = _ENTRIES.dump_python([entry], mode="json")
    message = stored["message"]
    kinds = [part["part_kind"] for part in message["parts"]]
    response = message["kind"] == "response"
    tool = not response and bool({"tool-return", "retry-prompt"} & {*kinds}) and "user-prompt" not in kinds
    event = {
        "id": entry.id,
        "invocationId": message.get("run_id") or entry.id,
        "author": "assistant" if response or tool else "user",
        "customMetadata": {ENTRY: stored},
    }
    parts = [made for part in message["parts"] for made in _parts_of(part)]
    content = {"content": {"role": "model" if response else "user", "parts": parts}} if parts else {}
    return event | content | (_usage_of(message) if response else {})


def entry_in(event: Mapping[str, Any]) -> ConversationEntry | None:
    """Returns the entry of an event, None if another program has made the event."""
    stored = (event.get("customMetadata") or {}).get(ENTRY)
    return None if stored is None else _ENTRIES.validate_python([stored])[0]


def event_of_record(event_id: str, record: ConversationRecord) -> dict[str, Any]:
    """Returns the event that stores a record."""
    (stored,) = _RECORDS.dump_python([record], mode="json")
    delta = {RECORD: {"event": event_id, "record": stored}}
    return {"id": event_id, "invocationId": event_id, "author": ENTRY, "actions": {"stateDelta": delta}}


def record_in(session: Mapping[str, Any]) -> tuple[str | None, ConversationRecord | None]:
    """Returns the record of a session and the id of the event that has stored it."""
    stored = session["state"].get(RECORD)
    return (stored["event"], _RECORDS.validate_python([stored["record"]])[0]) if stored else (None, None)


def _parts_of(part: Mapping[str, Any]) -> list[dict[str, Any]]:
    kind, content = part["part_kind"], part.get("content")
    if kind in ("tool-call", "builtin-tool-call"):
        call = {"id": part["tool_call_id"], "name": part["tool_name"], "args": _arguments(part.get("args"))}
        return [{"functionCall": call}]
    if kind in ("tool-return", "builtin-tool-return") or (kind == "retry-prompt" and part.get("tool_name")):
        answer = {"error" if kind == "retry-prompt" or part.get("outcome") == "failed" else "result": content}
        return [{"functionResponse": {"id": part["tool_call_id"], "name": part["tool_name"], "response": answer}}]
    if kind not in ("user-prompt", "text", "thinking"):
        return []
    items = content if isinstance(content, list) else [content]
    texts = [item.get("content") if isinstance(item, Mapping) else item for item in items]
    thought = {"thought": True} if kind == "thinking" else {}
    return [{"text": text, **thought} for text in texts if text and isinstance(text, str)]


def _arguments(arguments: Any) -> dict[str, Any]:
    try:
        read = json.loads(arguments) if isinstance(arguments, str) else arguments
    except ValueError:
        read = None
    return dict(read) if isinstance(read, Mapping) else {"arguments": arguments}


def _usage_of(message: Mapping[str, Any]) -> dict[str, Any]:
    usage = message["usage"]
    asked, answered, model = usage["input_tokens"], usage["output_tokens"], message.get("model_name")
    counts = {"promptTokenCount": asked, "candidatesTokenCount": answered, "totalTokenCount": asked + answered}
    return {"usageMetadata": counts} | ({"modelVersion": model} if model else {})
