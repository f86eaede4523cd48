# SPDX-License-Identifier: Apache-2.0
"""Converts between the objects of ADK and JSON."""

import math
from collections.abc import Mapping
from typing import Any

from google.adk.events.event import Event
from google.adk.sessions.state import State
from pydantic_core import to_jsonable_python


def jsonable(value: Any, above: tuple[int, ...] = ()) -> Any:
    """Returns the value as JSON. A value without a JSON form (NaN, a function, a reference cycle) becomes text."""
    if value is None or isinstance(value, (str, int)) or (isinstance(value, float) and math.isfinite(value)):
        return value
    if isinstance(value, float) or id(value) in above:
        return str(value)
    above = (*above, id(value))
    if isinstance(value, Mapping):
        return {key if isinstance(key, str) else str(key): jsonable(item, above) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [jsonable(item, above) for item in value]
    try:
        return jsonable(to_jsonable_python(value, fallback=str, bytes_mode="base64"), above)
    except ValueError:
        return str(value)


def event_json(event: Event) -> dict[str, Any]:
    """Returns the event for the service; pass it through `jsonable`. None in the state delta is a value and stays."""
    delta = {"actions": {"state_delta"}}
    body = event.model_dump(mode="json", by_alias=True, exclude_none=True, exclude=delta, fallback=str)
    body["actions"]["stateDelta"] = without_temp(event.actions.state_delta)
    return body


def without_temp(state: Mapping[str, Any]) -> dict[str, Any]:
    """Returns a state without its `temp:` keys, which belong to one invocation and are not stored."""
    return {key: value for key, value in state.items() if not key.startswith(State.TEMP_PREFIX)}
