"""Writes every field that events of ADK Python have, and copies sessions, through the client of this project.

    adk.py write SESSION
    adk.py copy FROM TO
"""

import asyncio
import enum
import inspect
import sys
import typing

from agent_sessions_adk import AgentSessionService
from google.adk.auth.auth_tool import AuthConfig
from google.adk.events.event import Event
from google.genai.types import FunctionResponsePart, Part
from pydantic import BaseModel

PLACE = {"app_name": "matrix", "user_id": "u"}
BYTES = b"\xfb\xff\xbe>?!"  # +/++Pj8h, and -_--Pj8h in the other alphabet
TIME = 1767225600.123456
CREDENTIAL = {"auth_type": "oauth2", "oauth2": {"client_id": "c", "client_secret": "s", "expires_at": 7}}
AUTH = AuthConfig(auth_scheme={"type": "apiKey", "in": "header", "name": "n"}, raw_auth_credential=CREDENTIAL,
                  exchanged_auth_credential=CREDENTIAL, credential_key="k")
GIVEN = {"requested_auth_configs": {"some_key": AUTH}, "mime_type": "image/png", "start_timestamp": TIME, "end_timestamp": TIME + 1,
         "start_offset": "1.5s", "end_offset": "2.5s", "audio_offset": "2.5s", "time_left": "2.5s", "duration": "2.5s"}
# Of a part only one of these may be set; the others stand beside a text.
KINDS = {"text", "inline_data", "file_data", "function_call", "function_response", "executable_code", "code_execution_result",
         "tool_call", "tool_response"}


def events() -> list[Event]:
    """One event for each field, and one for each field of the parts."""
    # No service stores what is partial, and other values than these come from the programs themselves.
    names = Event.model_fields.keys() - {"id", "author", "invocation_id", "timestamp", "partial", "content"}
    found = [{"content": {"role": "model", "parts": [part]}} for part in parts()]
    found += [{name: value(Event.model_fields[name].annotation, name)} for name in sorted(names)]
    return [Event(author="agent", invocation_id="i-1", id=f"e-{number}", timestamp=TIME + number, **fields)
            for number, fields in enumerate(found)]


def parts() -> list[dict]:
    fields = {name: value(field.annotation, name) for name, field in Part.model_fields.items()}
    return [{name: found} if name in KINDS else {"text": "t", name: found} for name, found in fields.items()]


def value(kind: typing.Any, name: str) -> typing.Any:
    """A value of a type, with all fields that it has."""
    inner = typing.get_args(kind)
    origin = typing.get_origin(kind)
    if name in GIVEN:
        return GIVEN[name]
    if origin in (list, set):
        one = value(inner[0], name)
        return [{name: each} for name, each in one.items()] if inner[0] is FunctionResponsePart else [one]
    if origin is dict:
        return {"some_key": value(inner[1], name)}
    if origin is typing.Literal:
        return inner[0]
    if inner:  # a union
        return value(inner[0], name)
    if kind is Part:
        return {"inline_data": {"data": BYTES, "mime_type": "image/png"}, "thought_signature": BYTES}
    if inspect.isclass(kind) and issubclass(kind, enum.Enum):
        return [member for member in kind if "UNSPECIFIED" not in member.name][0]
    if inspect.isclass(kind) and issubclass(kind, BaseModel):
        return {each: value(field.annotation, each) for each, field in kind.model_fields.items()}
    simple = {str: name, int: 7, float: 1.25, bool: True, bytes: BYTES}
    return simple.get(kind, {"some_key": [1, None, "x"]})


async def write(session: str) -> None:
    async with AgentSessionService() as service:
        created = await service.create_session(**PLACE, session_id=session)
        for event in events():
            await service.append_event(created, event)


async def copy(origin: str, target: str) -> None:
    async with AgentSessionService() as service:
        created = await service.create_session(**PLACE, session_id=target)
        for event in (await service.get_session(**PLACE, session_id=origin)).events:
            await service.append_event(created, event)


if __name__ == "__main__":
    asyncio.run({"write": write, "copy": copy}[sys.argv[1]](*sys.argv[2:]))
