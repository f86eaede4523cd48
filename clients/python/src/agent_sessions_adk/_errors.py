# SPDX-License-Identifier: Apache-2.0
"""Exceptions: ADK's own exceptions where it has them, and two further exceptions."""

from collections.abc import Callable

import httpx
from google.adk.errors.already_exists_error import AlreadyExistsError as AlreadyExistsError
from google.adk.errors.session_not_found_error import SessionNotFoundError as SessionNotFoundError

try:
    from google.adk.errors import StaleSessionError as StaleSessionError
except ImportError:  # google-adk before 2.7

    class StaleSessionError(ValueError):  # type: ignore[no-redef]
        """The session has changed since it was read."""


#: Functions that create an exception from the detail and the response, by the code of the problem.
ERRORS: dict[str, Callable[[str, httpx.Response], Exception]] = {
    "STALE_SESSION": lambda detail, _: StaleSessionError(detail),
    "SESSION_NOT_FOUND": lambda detail, _: SessionNotFoundError(detail),
    "ALREADY_EXISTS": lambda detail, _: AlreadyExistsError(detail),
}


class AgentSessionsError(Exception):
    """The service refused a request, or the client could not reach the service.

    Attributes:
        status: the status of the response, None without a response.
        code: the stable code of the problem, such as FORBIDDEN.
    """

    def __init__(self, message: str, status: int | None = None, code: str | None = None) -> None:
        super().__init__(message)
        self.status, self.code = status, code


class InvalidRequestError(AgentSessionsError, ValueError):
    """The service did not accept the request; the message names the field and the rule."""


def error_of(response: httpx.Response) -> Exception:
    """Returns the exception for an error response."""
    status = response.status_code
    try:
        problem = response.json()
        detail, code = str(problem["detail"]), str(problem["code"])
    except (ValueError, KeyError, TypeError):  # a response of a proxy in front of the service
        return AgentSessionsError(f"{status} {response.reason_phrase}", status)
    if code in ERRORS:
        return ERRORS[code](detail, response)
    return (InvalidRequestError if status in (400, 409, 413, 422) else AgentSessionsError)(detail, status, code)
