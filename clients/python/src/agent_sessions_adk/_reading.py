# SPDX-License-Identifier: Apache-2.0
"""Reads events that clients in other languages or versions have written."""

import copy
import logging
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from google.adk.events.event import Event
from pydantic import ValidationError

_log = logging.getLogger("agent_sessions_adk")

# The key of the custom metadata with the paths of what could not be read; the clients in all languages use it
UNREADABLE = "agent_sessions_unreadable"


def read_event(data: dict[str, Any], session_id: str) -> Event:
    """Reads an event. Leaves out fields that only ADK in other languages or versions knows.

    It leaves out values that ADK cannot hold, too: only the smallest part that is wrong. It logs them once, and lists
    their paths in the custom metadata of the event.
    """
    dropped: list[str] = []
    while True:
        try:
            event = Event.model_validate(data)
            break
        except ValidationError as error:
            problems = error.errors()
            unknown = [problem["loc"] for problem in problems if problem["type"] == "extra_forbidden"]
            for location in unknown:
                _drop(data, location)
            if not unknown:
                dropped.append(_drop(data, problems[0]["loc"]))
        except Exception:  # a validator of ADK failed, and does not say where
            dropped.append(_drop(data, _cause(data)))
    if dropped:
        _report(session_id, event.id, ", ".join(dropped))
        event.custom_metadata = {**(event.custom_metadata or {}), UNREADABLE: dropped}
    return event


def _drop(data: Any, location: Sequence[int | str]) -> str:
    """Drops the value at a location, or the smallest value around it that is there."""
    path: list[int | str] = []
    place: Any = data
    parent: Any = None
    for step in location:
        is_there = step in place if isinstance(place, dict) else isinstance(place, list) and isinstance(step, int)
        if not is_there:
            break
        parent, place = place, place[step]
        path.append(step)
    if parent is None:
        raise ValueError(f"ADK cannot read the event {data.get('id')}: {location} is missing")
    del parent[path[-1]]
    return ".".join(map(str, path))


def _cause(data: Any) -> tuple[int | str, ...]:
    """Returns the location of the smallest value without which the event can be validated."""
    location: tuple[int | str, ...] = ()
    place = data
    while isinstance(place, (dict, list)):
        for step in list(place) if isinstance(place, dict) else range(len(place)):
            if _validates_without(data, (*location, step)):
                location, place = (*location, step), place[step]
                break
        else:
            break
    return location


def _validates_without(data: Any, location: Sequence[int | str]) -> bool:
    rest = copy.deepcopy(data)
    _drop(rest, location)
    try:
        Event.model_validate(rest)
    except ValidationError:
        pass
    except Exception:
        return False
    return True


@lru_cache(maxsize=1000)
def _report(session_id: str, event_id: str, paths: str) -> None:
    """Logs a report once, however often the event is read."""
    _log.warning(
        "Session %s: ADK cannot hold these parts of the event %s, which are left out: %s", session_id, event_id, paths
    )
