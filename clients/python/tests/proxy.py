"""An HTTP proxy that causes failures on request."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from types import TracebackType
from urllib.parse import urlsplit

import httpx

#: What to do with a request: forward it and respond; forward it and disconnect; forward it and disconnect in the middle
#: of the response; disconnect without forwarding it; or respond with this status (and Retry-After: 1)
#: without forwarding it.
Fault = str | int
FORWARD, LOSE_ANSWER, CUT_ANSWER, LOSE_REQUEST = "forward", "lose answer", "cut answer", "lose request"


def forward_to(url: str) -> Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]:
    """Returns a handler of connections that passes on all bytes in both directions."""

    async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while piece := await reader.read(65536):
            writer.write(piece)
        writer.close()

    async def forward(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        upstream = await asyncio.open_connection(urlsplit(url).hostname, urlsplit(url).port)
        await asyncio.gather(pump(reader, upstream[1]), pump(upstream[0], writer))

    return forward


class Proxy:
    def __init__(self, upstream: str) -> None:
        self._upstream = httpx.AsyncClient(base_url=upstream, timeout=60)
        self.faults: list[Fault] = []
        self.requests: list[tuple[str, str]] = []
        self.headers: list[dict[str, str]] = []
        self.url = ""

    async def __aenter__(self) -> Proxy:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.close()
        await self._upstream.aclose()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await self._answer_one(reader, writer):
                pass
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async def _answer_one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        method, target, _ = head[0].split(" ")
        headers = dict(line.lower().split(": ", 1) for line in head[1:] if line)
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        self.requests.append((method, target))
        self.headers.append(headers)
        fault = self.faults.pop(0) if self.faults else FORWARD
        if isinstance(fault, int):
            writer.write(f"HTTP/1.1 {fault} Busy\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n".encode())
            return True
        if fault == LOSE_REQUEST:
            return False
        kept = {key: value for key, value in headers.items() if key not in ("host", "connection", "accept-encoding")}
        answer = await self._upstream.request(method, target, headers=kept, content=body)
        if fault == LOSE_ANSWER:
            return False
        lines = [f"HTTP/1.1 {answer.status_code} {answer.reason_phrase}"]
        skipped = ("transfer-encoding", "content-length", "content-encoding", "connection")
        lines += [f"{key}: {value}" for key, value in answer.headers.items() if key not in skipped]
        if answer.status_code != 204:
            lines.append(f"content-length: {len(answer.content)}")
        content = answer.content[: len(answer.content) // 2] if fault == CUT_ANSWER else answer.content
        writer.write(("\r\n".join(lines) + "\r\n\r\n").encode() + content)
        await writer.drain()
        return fault == FORWARD
