# SPDX-License-Identifier: Apache-2.0
"""Sends requests, and retries them when a response is lost or the service is busy or unreachable."""

import asyncio
from typing import Any

import httpx

from ._errors import error_of
from ._reach import BUSY, Attempts, Reach


class Transport:
    """One pool of connections for each event loop, because connections belong to the loop that opened them."""

    def __init__(self, reach: Reach, options: dict[str, Any]) -> None:
        self.reach = reach
        self._options = options
        self._clients: dict[asyncio.AbstractEventLoop, httpx.AsyncClient] = {}

    async def send(self, method: str, path: str, **request: Any) -> httpx.Response:
        """Sends a request, with retries, until it succeeds, is refused or times out. The request may arrive twice."""
        attempts = Attempts(self.reach)
        while True:
            answer: httpx.Response | httpx.TransportError
            try:
                answer = await self.client().request(method, path, **request)
                self.reach.answered()
                if answer.is_success:
                    return answer
                if answer.status_code not in BUSY:
                    raise error_of(answer)
            except httpx.TransportError as error:
                answer = error
            await attempts.after(answer)

    def client(self) -> httpx.AsyncClient:
        """Returns the HTTP client of this event loop."""
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
