# SPDX-License-Identifier: Apache-2.0
"""Registers the URI schemes for `adk web --session_service_uri=agentsessions://localhost:8080`."""

import os
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from ._artifacts import AgentSessionArtifactService
from ._life import AgentSessionService
from ._memory import AgentSessionMemoryService

_SCHEMES = {"agentsessions": "http", "agentsessions+http": "http", "agentsessions+https": "https"}


def register() -> None:
    """Registers the schemes with ADK's command line. Call it in `services.py` in the folder of the agents."""
    from google.adk.cli.service_registry import get_service_registry

    for scheme in _SCHEMES:
        get_service_registry().register_session_service(scheme, from_uri)
        get_service_registry().register_memory_service(scheme, memory_from_uri)
        get_service_registry().register_artifact_service(scheme, artifacts_from_uri)


def from_uri(uri: str, **_: object) -> AgentSessionService:
    """Creates a session service for `agentsessions://host:port` or, with TLS, `agentsessions+https://host:port`.

    `?api_key_env=NAME` names the environment variable with the API key, if it is not AGENT_SESSIONS_API_KEY.
    `optimistic_locking=false` switches off the check for stale sessions. `view=context` reads only the events of a
    session that its model may see.
    """
    url, api_key, options = _parse(uri)
    locking = options.pop("optimistic_locking", "true")
    view = options.pop("view", "full")
    if options or locking not in ("true", "false") or view not in ("full", "context"):
        raise ValueError("The options are api_key_env=NAME, optimistic_locking=true or false, view=full or context")
    return AgentSessionService(url, api_key=api_key, optimistic_locking=locking == "true", view=view)


def memory_from_uri(uri: str, **_: object) -> AgentSessionMemoryService:
    """Creates a memory service for a URI like that of the session service.

    `?api_key_env=NAME` is as there. `limit=5` is the number of memories that a search returns, `around=1` the number of
    turns before and after each of them.
    """
    url, api_key, options = _parse(uri)
    numbers = {name: options.pop(name) for name in ("limit", "around") if name in options}
    if options or not all(number.isdecimal() for number in numbers.values()):
        raise ValueError("The options are api_key_env=NAME, limit=NUMBER, around=NUMBER")
    return AgentSessionMemoryService(url, api_key=api_key, **{name: int(numbers[name]) for name in numbers})


def artifacts_from_uri(uri: str, **_: object) -> AgentSessionArtifactService:
    """Creates an artifact service for a URI like that of the session service, with `?api_key_env=NAME` as there."""
    url, api_key, options = _parse(uri)
    if options:
        raise ValueError("The option is api_key_env=NAME")
    return AgentSessionArtifactService(url, api_key=api_key)


def _parse(uri: str) -> tuple[str, str | None, dict[str, Any]]:
    """Returns the address of the service, the API key and the other options."""
    parts = urlsplit(uri)
    if "@" in parts.netloc:
        raise ValueError("A URI is logged, so it cannot carry a key: name its variable with ?api_key_env=NAME")
    options: dict[str, Any] = dict(parse_qsl(parts.query, keep_blank_values=True))
    key_variable = options.pop("api_key_env", None)
    api_key = os.environ.get(key_variable or "")
    if key_variable is not None and not api_key:
        raise ValueError(f"The variable {key_variable}, which should have the API key, is not set")
    return f"{_SCHEMES[parts.scheme]}://{parts.netloc}{parts.path}", api_key, options
