# SPDX-License-Identifier: Apache-2.0
"""What can go wrong: ADK's own exceptions where it has them, and two for the rest."""

from __future__ import annotations

from typing import Any

import httpx
from google.adk.errors.already_exists_error import AlreadyExistsError

try:
    from google.adk.errors.session_not_found_error import SessionNotFoundError
except ImportError:  # google-adk before 1.25

    class SessionNotFoundError(ValueError):  # type: ignore[no-redef]
        """The session does not exist."""


try:
    from google.adk.errors import StaleSessionError
except ImportError:  # google-adk before 2.7

    class StaleSessionError(ValueError):  # type: ignore[no-redef]
        """The session has changed since it was read."""


__all__ = [
    "AgentSessionsError",
    "AlreadyExistsError",
    "InvalidRequestError",
    "SessionNotFoundError",
    "StaleSessionError",
    "error_of",
]


class AgentSessionsError(Exception):
    """The service refused a request, or could not be reached.

    Attributes:
        status: the status of the answer, None without one.
        code: the stable code of the problem, such as FORBIDDEN.
    """

    def __init__(self, message: str, status: int | None = None, code: str | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.code = code


class InvalidRequestError(AgentSessionsError, ValueError):
    """The service did not accept what was sent; the message names the field and the rule."""


def error_of(response: httpx.Response) -> Exception:
    """The exception that says what an answer says."""
    try:
        problem: dict[str, Any] = response.json()
        detail, code = str(problem["detail"]), str(problem["code"])
    except (ValueError, KeyError, TypeError):  # not an answer of the service, but of something before it
        return AgentSessionsError(f"{response.status_code} {response.reason_phrase}", response.status_code)
    if code == "STALE_SESSION":
        return StaleSessionError(detail)
    if code == "SESSION_NOT_FOUND":
        return SessionNotFoundError(detail)
    if code == "ALREADY_EXISTS":
        return AlreadyExistsError(detail)
    invalid = response.status_code in (400, 409, 413, 422)
    return (InvalidRequestError if invalid else AgentSessionsError)(detail, response.status_code, code)
