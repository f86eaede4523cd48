# SPDX-License-Identifier: Apache-2.0
"""Reads events that clients in other languages or versions have written."""

import logging
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from google.adk.events.event import Event
from pydantic import ValidationError

_log = logging.getLogger("agent_sessions_adk")

# The key of the custom metadata with the paths of what could not be read; the clients in all languages use it
UNREADABLE = "agent_sessions_unreadable"

_Location = tuple[int | str, ...]  # the steps from an event to a value within it


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
            problems = error.errors(include_url=False, include_context=False, include_input=False)
            unknown = [problem["loc"] for problem in problems if problem["type"] == "extra_forbidden"]
            wrong = [] if unknown else [problem["loc"] for problem in problems]
        except Exception:  # a validator of ADK failed, and does not say where
            unknown, wrong = [], _failing(data, ())
        _drop(data, unknown)
        dropped += _drop(data, wrong)
    if dropped:
        _report(session_id, event.id, ", ".join(dropped))
        event.custom_metadata = {**(event.custom_metadata or {}), UNREADABLE: dropped}
    return event


def _drop(data: Any, locations: Sequence[_Location]) -> list[str]:
    """Drops the values at some locations, or the smallest values around them that are there. Returns their paths.

    Only one of two values is dropped if one is within the other: what is wrong with the other may be gone then.
    """
    chosen: dict[_Location, None] = {}
    around: set[_Location] = set()
    for location in locations:
        place = _existing(data, location)
        outer = [place[:length] for length in range(len(place))]
        if place not in around and not any(part in chosen for part in outer):
            chosen[place] = None
            around.update(outer)
    for place in sorted(chosen, reverse=True):  # the last item of a list first, as the others move
        parent = data
        for step in place[:-1]:
            parent = parent[step]
        del parent[place[-1]]
    return [".".join(map(str, place)) for place in chosen]


def _existing(data: Any, location: _Location) -> _Location:
    """Returns a location, or the longest part of it that is there."""
    place = data
    for depth, step in enumerate(location):
        is_there = step in place if isinstance(place, dict) else isinstance(place, list) and isinstance(step, int)
        if not is_there:
            location = location[:depth]
            break
        place = place[step]
    if not location:
        raise ValueError(f"ADK cannot read the event {data.get('id')}")
    return location


def _failing(value: Any, location: _Location) -> list[_Location]:
    """Returns the locations of the smallest values within a value with which a validator of ADK fails.

    Each value is validated without the values around it. Fields that are missing then do not matter here.
    """
    event = value
    for step in reversed(location):
        event = {step: event} if isinstance(step, str) else [event]
    try:
        Event.model_validate(event)
        return []
    except ValidationError:
        return []
    except Exception:
        steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        return [place for step, inner in steps for place in _failing(inner, (*location, step))] or [location]


@lru_cache(maxsize=1000)
def _report(session_id: str, event_id: str, paths: str) -> None:
    """Logs a report once, however often the event is read."""
    _log.warning(
        "Session %s: ADK cannot hold these parts of the event %s, which are left out: %s", session_id, event_id, paths
    )
