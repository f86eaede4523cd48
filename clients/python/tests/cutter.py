"""A proxy that forwards bytes between client and service, and cuts connections on request."""

from __future__ import annotations

import asyncio
from types import TracebackType
from urllib.parse import urlsplit


class Cutter:
    def __init__(self, upstream: str) -> None:
        self._upstream = urlsplit(upstream)
        self._connections: set[asyncio.StreamWriter] = set()
        self.holds = False
        self.url = ""

    async def __aenter__(self) -> Cutter:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.close()
        await self.cut()

    async def wait_for_connection(self) -> None:
        while not self._connections:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.3)

    async def wait_for_no_connection(self) -> None:
        while self._connections:  # noqa: ASYNC110
            await asyncio.sleep(0.01)

    async def cut(self) -> None:
        for writer in list(self._connections):
            writer.transport.abort()
        self._connections.clear()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while self.holds:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        upstream = await asyncio.open_connection(self._upstream.hostname, self._upstream.port)
        self._connections |= {writer, upstream[1]}
        await asyncio.gather(_copy(reader, upstream[1]), _copy(upstream[0], writer))
        self._connections -= {writer, upstream[1]}


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while piece := await reader.read(65536):
            writer.write(piece)
            await writer.drain()
    except ConnectionError:
        pass
    finally:
        writer.close()
