# SPDX-License-Identifier: Apache-2.0
"""The address of the service, failures to connect, and retries."""

from __future__ import annotations

import asyncio
import logging
import random
import socket
import ssl
import time
from collections.abc import Iterator

import httpx

from ._errors import AgentSessionsError, InvalidRequestError, error_of

BUSY = frozenset({429, 502, 503, 504})
_LONGEST_PAUSE = 5.0
_LONGEST_UNCONNECTED = 3.0

_NO_ADDRESS = "The address of the service has to begin with http:// or https://"

_log = logging.getLogger("agent_sessions_adk")


class Reach:
    """The address of the service, and whether the client can connect to it.

    Attributes:
        address: the address of the service, as errors show it.
        retry_for: seconds during which the client retries a request after a lost response or 429, 502, 503, 504.
        unavailable_timeout: seconds during which the client retries a request while it cannot connect.
    """

    def __init__(self, url: str, retry_for: float, unavailable_timeout: float) -> None:
        """Sets the address of the service.

        Raises:
            InvalidRequestError: The URL does not have a host or does not begin with http:// or https://.
        """
        self.address = _address(url)
        self.retry_for, self.unavailable_timeout = retry_for, unavailable_timeout
        self._away: bool | None = None  # None before the first request

    def answered(self) -> None:
        """Records a response of the service: the client logs the next failure again."""
        self._away = False

    def failed(self, error: httpx.TransportError) -> AgentSessionsError:
        """Returns the error to raise if the client does not retry. Logs the first failure: a failure to connect, or a
        lost response before any other response.

        Raises:
            AgentSessionsError: A retry cannot help.
        """
        reason = _reason(error)
        place = f"Agent Sessions at {self.address}"
        if _lasts(error):
            raise AgentSessionsError(f"{place} cannot be reached: {reason}", code="UNAVAILABLE") from error
        unconnected = is_unconnected(error)
        seconds = self.unavailable_timeout if unconnected else self.retry_for
        what = f"{place} could not be reached" if unconnected else f"No answer from {place}"
        if not self._away if unconnected else self._away is None:
            _log.warning("%s; requests are sent again for %g s: %s", what, seconds, reason)
            self._away = True
        problem = AgentSessionsError(f"{what} for {seconds:g} s: {reason}", code="UNAVAILABLE")
        problem.__cause__ = error
        return problem


class Attempts:
    """The attempts of one request, and the pauses between them."""

    def __init__(self, reach: Reach) -> None:
        self._reach = reach
        self._deadline = time.monotonic() + reach.retry_for
        self._unconnected_until: float | None = None
        self._pause = 0.1

    async def after(self, failure: httpx.Response | httpx.TransportError) -> None:
        """Waits until the client may send the request again.

        Raises:
            Exception: The client may not retry; this is the error of the last attempt.
        """
        now, wait = time.monotonic(), self._pause * random.uniform(0.5, 1.0)
        if isinstance(failure, httpx.Response):
            problem, wait = error_of(failure), max(wait, _retry_after(failure))
        else:
            problem = self._reach.failed(failure)
        if is_unconnected(failure):
            if self._unconnected_until is None:
                self._unconnected_until = now + self._reach.unavailable_timeout
            left = self._unconnected_until - now
            wait = min(wait, left, _LONGEST_UNCONNECTED)
        else:
            self._unconnected_until, left = None, self._deadline - now - wait
        if left <= 0:
            raise problem
        await asyncio.sleep(wait)
        self._pause = min(self._pause * 2, _LONGEST_PAUSE)


def is_unconnected(failure: httpx.Response | httpx.TransportError) -> bool:
    """Whether the client could not connect, so that it sent nothing."""
    return isinstance(failure, (httpx.ConnectError, httpx.ConnectTimeout))


def _address(url: str) -> str:
    """Returns the URL without the parts that may contain a secret."""
    try:
        address = httpx.URL(url).copy_with(userinfo=b"", query=None, fragment=None)
    except httpx.InvalidURL as error:
        raise InvalidRequestError(f"{_NO_ADDRESS}: {url!r}: {error}", code="INVALID_ARGUMENT") from error
    if address.scheme not in ("http", "https") or not address.host:
        raise InvalidRequestError(f"{_NO_ADDRESS}: {url!r}", code="INVALID_ARGUMENT")
    return str(address).rstrip("/")


def _reason(error: httpx.TransportError) -> str:
    """Returns the deepest cause that has a text. That of a time-out is about the inside of a library."""
    if isinstance(error, httpx.TimeoutException):
        name = type(error).__name__
        seconds = error.request.extensions["timeout"][name.removesuffix("Timeout").lower()]
        return f"{name} after {seconds:g} s"
    return repr(next(cause for cause in _causes(error) if str(cause) or cause is error))


def _lasts(error: httpx.TransportError) -> bool:
    """Whether the error is permanent: an unknown host, a certificate that is not trusted, or another protocol."""
    return any(
        (isinstance(cause, ssl.SSLError) and not isinstance(cause, ssl.SSLEOFError))
        or (isinstance(cause, socket.gaierror) and cause.errno != socket.EAI_AGAIN)
        or isinstance(cause, (httpx.UnsupportedProtocol, httpx.LocalProtocolError))
        or (isinstance(cause, httpx.RemoteProtocolError) and "illegal" in str(cause))
        for cause in _causes(error)
    )


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yields the causes of an error, the deepest first."""
    if error is not None:
        yield from _causes(error.__cause__ or error.__context__)
        yield error


def _retry_after(response: httpx.Response) -> float:
    """Returns the seconds that the service asks the client to wait."""
    asked = response.headers.get("Retry-After", "")
    return float(asked) if asked.isdecimal() else 0.0
