# SPDX-License-Identifier: Apache-2.0
"""Sends requests, and sends them again when an answer got lost or the service was busy."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from typing import Any
from weakref import WeakKeyDictionary

import httpx

from ._errors import AgentSessionsError

BUSY = frozenset({429, 502, 503, 504})
LONGEST_PAUSE = 5.0


class Transport:
    """One pool of connections for each event loop, because connections belong to the loop that opened them."""

    def __init__(self, url: str, timeout: float, retry_for: float, options: Mapping[str, Any]) -> None:
        self._retry_for = retry_for
        self._options: dict[str, Any] = {"timeout": httpx.Timeout(timeout, connect=5.0, pool=None), **options}
        self._options["base_url"] = url
        self._clients: WeakKeyDictionary[asyncio.AbstractEventLoop, httpx.AsyncClient] = WeakKeyDictionary()

    async def send(self, method: str, path: str, **request: Any) -> httpx.Response:
        """Sends a request that may arrive twice, until there is an answer other than that the service is busy."""
        deadline = time.monotonic() + self._retry_for
        pause = 0.1
        while True:
            try:
                answer: httpx.Response | httpx.TransportError = await self._client().request(method, path, **request)
            except httpx.TransportError as error:
                answer = error
            if isinstance(answer, httpx.Response) and answer.status_code not in BUSY:
                return answer
            wait = max(retry_after(answer), pause * random.uniform(0.5, 1.0))
            if time.monotonic() + wait > deadline:
                if isinstance(answer, httpx.Response):
                    return answer
                raise AgentSessionsError(f"No answer to {method} {path}: {answer!r}") from answer
            await asyncio.sleep(wait)
            pause = min(pause * 2, LONGEST_PAUSE)

    def stream(self, method: str, path: str, **request: Any) -> AbstractAsyncContextManager[httpx.Response]:
        """Sends a request once, and leaves the answer to be read as it comes."""
        return self._client().stream(method, path, **request)

    async def close(self) -> None:
        """Closes the connections of this event loop."""
        client = self._clients.pop(asyncio.get_running_loop(), None)
        if client is not None:
            await client.aclose()

    def _client(self) -> httpx.AsyncClient:
        loop = asyncio.get_running_loop()
        client = self._clients.get(loop)
        if client is None:
            for other in [other for other in self._clients if other.is_closed()]:
                del self._clients[other]
            client = self._clients[loop] = httpx.AsyncClient(**self._options)
        return client


def retry_after(answer: httpx.Response | httpx.TransportError) -> float:
    text = answer.headers.get("Retry-After", "") if isinstance(answer, httpx.Response) else ""
    return float(text) if text.isdecimal() else 0.0
