# SPDX-License-Identifier: Apache-2.0
"""Sends requests, and sends them again when an answer got lost or the service was busy."""

import asyncio
import random
import time
from typing import Any

import httpx

from ._errors import AgentSessionsError, error_of

BUSY = frozenset({429, 502, 503, 504})
LONGEST_PAUSE = 5.0


class Transport:
    """One pool of connections for each event loop, because connections belong to the loop that opened them."""

    def __init__(self, retry_for: float, options: dict[str, Any]) -> None:
        self.retry_for = retry_for
        self._options = options
        self._clients: dict[asyncio.AbstractEventLoop, httpx.AsyncClient] = {}

    async def send(self, method: str, path: str, **request: Any) -> httpx.Response:
        """Sends a request that may arrive twice, until it succeeds or is refused, or time is up."""
        deadline, pause = time.monotonic() + self.retry_for, 0.1
        while True:
            wait = pause * random.uniform(0.5, 1.0)
            try:
                response = await self.client().request(method, path, **request)
                if response.is_success:
                    return response
                problem = error_of(response)
                if response.status_code not in BUSY:
                    raise problem
                wait = max(wait, retry_after(response))
            except httpx.TransportError as error:
                problem = AgentSessionsError(f"No answer to {method} {path}: {error!r}")
                problem.__cause__ = error
            if time.monotonic() + wait > deadline:
                raise problem
            await asyncio.sleep(wait)
            pause = min(pause * 2, LONGEST_PAUSE)

    def client(self) -> httpx.AsyncClient:
        """The connections of this event loop."""
        loop = asyncio.get_running_loop()
        if loop not in self._clients:
            for closed in [other for other in self._clients if other.is_closed()]:
                del self._clients[closed]
            self._clients[loop] = httpx.AsyncClient(**self._options)
        return self._clients[loop]

    async def close(self) -> None:
        """Closes the connections of this event loop."""
        if client := self._clients.pop(asyncio.get_running_loop(), None):
            await client.aclose()


def retry_after(response: httpx.Response) -> float:
    """The seconds that the service asks to wait."""
    asked = response.headers.get("Retry-After", "")
    return float(asked) if asked.isdecimal() else 0.0
