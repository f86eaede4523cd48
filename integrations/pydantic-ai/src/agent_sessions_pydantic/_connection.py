# SPDX-License-Identifier: Apache-2.0
"""Sends requests to Agent Sessions, and retries them when a response is lost or the service is busy.

The packages for other frameworks have the same file, so that each needs nothing but httpx.
"""

import json
import os
import random
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from urllib.parse import quote

import anyio
import anyio.lowlevel
import httpx

#: Returns the API key or the bearer token for the next request.
TokenFunction = Callable[[], str | Awaitable[str]]

_BUSY = frozenset({429, 502, 503, 504})
_LONGEST_PAUSE = 5.0
_ESCAPED = frozenset("/\\;%:~")


class AgentSessionsError(Exception):
    """The service refused a request, or it could not be reached.

    Attributes:
        status: the status of the response, None without a response.
        code: the stable code of the problem, such as FORBIDDEN, None without one.
    """

    def __init__(self, message: str, status: int | None = None, code: str | None = None) -> None:
        super().__init__(message)
        self.status, self.code = status, code


class Connection:
    """The address of the service, the credentials, and a pool of connections for each event loop."""

    def __init__(
        self,
        url: str | None = None,
        api_key: str | TokenFunction | None = None,
        *,
        timeout: float = 40,
        retry_for: float = 30,
        http_options: Mapping[str, Any] | None = None,
    ) -> None:
        """Opens nothing yet.

        Args:
            url: The address of the service. The default is AGENT_SESSIONS_URL or http://localhost:8080.
            api_key: An API key or a token, or a function that returns one. The default is AGENT_SESSIONS_API_KEY.
            timeout: Seconds to wait for one response.
            retry_for: Seconds during which a request is sent again after a failure to connect, a lost response, or
                429, 502, 503 and 504.
            http_options: Further arguments of `httpx.AsyncClient`, such as `verify` or `proxy`.
        """
        self._api_key = api_key or os.environ.get("AGENT_SESSIONS_API_KEY")
        self._retry_for = retry_for
        self._options = {
            "timeout": httpx.Timeout(timeout, connect=5.0, pool=None),
            **(http_options or {}),
            "base_url": url or os.environ.get("AGENT_SESSIONS_URL") or "http://localhost:8080",
        }
        self._client = anyio.lowlevel.RunVar[httpx.AsyncClient]("agent-sessions-client")

    async def send(
        self,
        method: str,
        names: tuple[str, ...],
        action: str = "",
        *,
        body: Any = None,
        params: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> httpx.Response:
        """Sends a request, with retries. It may arrive twice, so events need ids.

        Raises:
            AgentSessionsError: The service refused the request, or could not be reached in time.
        """
        path = _path_of(names) + action
        content = None if body is None else json.dumps(body, allow_nan=False).encode()
        sent = {**(headers or {}), **({} if body is None else {"Content-Type": "application/json"})}
        until, pause = time.monotonic() + self._retry_for, 0.1
        while True:
            request = self._http().build_request(
                method, path, content=content, params=params, headers=sent | await self._authorization()
            )
            try:
                response = await self._http().send(request)
                if response.is_success:
                    return response
                problem = _error_of(response)
                asked = response.headers.get("Retry-After", "")
                if response.status_code not in _BUSY:
                    raise problem
            except httpx.TransportError as error:
                problem, asked = AgentSessionsError(f"No answer from {request.url.host}: {error!r}"), ""
            wait = max(pause * random.uniform(0.5, 1), float(asked) if asked.isdecimal() else 0)
            if time.monotonic() + wait > until:
                raise problem
            await anyio.sleep(wait)
            pause = min(pause * 2, _LONGEST_PAUSE)

    async def close(self) -> None:
        """Closes the connections of the running event loop."""
        client = self._client.get(None)
        if client is not None:
            await client.aclose()

    def _http(self) -> httpx.AsyncClient:
        client = self._client.get(None)
        if client is None or client.is_closed:
            client = httpx.AsyncClient(**self._options)
            self._client.set(client)
        return client

    async def _authorization(self) -> dict[str, str]:
        token = self._api_key() if callable(self._api_key) else self._api_key
        if isinstance(token, Awaitable):
            token = await token
        return {"Authorization": f"Bearer {token}"} if token else {}


def session_name(*parts: str) -> str:
    """Returns the id of a session from names of a framework, joined by `:`.

    Ids of sessions have none of `/ \\ ; %`. These, `:`, `~` and control characters become `~` and two hexadecimal
    digits for each byte of UTF-8, so that different names have different ids. A name of dots only is escaped, too.
    """
    return ":".join(_escaped(part) for part in parts)


def names_in(session_id: str) -> list[str]:
    """Returns the names from which `session_name` has made the id."""
    return [_unescaped(part) for part in session_id.split(":")]


def _escaped(name: str) -> str:
    dots = not name.strip(".")
    return "".join(
        "".join(f"~{byte:02x}" for byte in char.encode())
        if dots or char in _ESCAPED or not char.isprintable()
        else char
        for char in name
    )


def _unescaped(name: str) -> str:
    first, *others = name.split("~")
    return (first.encode() + b"".join(bytes.fromhex(part[:2]) + part[2:].encode() for part in others)).decode()


def _path_of(names: tuple[str, ...]) -> str:
    if any(name.strip() in ("", ".", "..") for name in names):  # these would change the path
        raise AgentSessionsError(f"A name or an id cannot be empty, '.' or '..': {names}")
    return "/" + "/".join(quote(name, safe="") for name in names)


def _error_of(response: httpx.Response) -> AgentSessionsError:
    try:
        problem = response.json()
        return AgentSessionsError(str(problem["detail"]), response.status_code, str(problem["code"]))
    except (ValueError, KeyError, TypeError):  # a response of a proxy in front of the service
        return AgentSessionsError(f"{response.status_code} {response.reason_phrase}", response.status_code)
