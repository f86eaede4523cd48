# SPDX-License-Identifier: Apache-2.0
"""Between the objects of ADK and JSON."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, TypeVar

from google.adk.events.event import Event
from pydantic import BaseModel, ValidationError
from pydantic_core import to_jsonable_python

Model = TypeVar("Model", bound=BaseModel)


def jsonable(value: Any, above: tuple[int, ...] = ()) -> Any:
    """The value as JSON has it. What JSON cannot say (NaN, a function, a circle) becomes text."""
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if id(value) in above:
        return str(value)
    above = (*above, id(value))
    if isinstance(value, Mapping):
        return {key if isinstance(key, str) else str(key): jsonable(item, above) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [jsonable(item, above) for item in value]
    try:
        plain = to_jsonable_python(value, fallback=str, bytes_mode="base64")
    except ValueError:
        return str(value)
    return jsonable(plain, above) if isinstance(plain, (dict, list)) else plain


def event_json(event: Event) -> dict[str, Any]:
    """The event as the service takes it. A None in the state delta is a value and stays."""
    body: dict[str, Any] = event.model_dump(
        mode="json", by_alias=True, exclude_none=True, exclude={"actions": {"state_delta"}}, fallback=str
    )
    delta = event.actions.state_delta if event.actions else None
    return {**body, "actions": {**body.get("actions", {}), "stateDelta": jsonable(delta or {})}}


def read_model(model: type[Model], data: dict[str, Any]) -> Model:
    """Reads an answer. Fields that only ADKs of other languages or versions know are left out."""
    while True:
        try:
            return model.model_validate(data)
        except ValidationError as error:
            unknown = [problem["loc"] for problem in error.errors() if problem["type"] == "extra_forbidden"]
            if not unknown:
                raise
            for path in unknown:
                _remove(data, path)


def _remove(data: Any, path: tuple[int | str, ...]) -> None:
    for step in path[:-1]:
        data = data[step]
    del data[path[-1]]
