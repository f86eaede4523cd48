# SPDX-License-Identifier: Apache-2.0
"""The API of the service for copies: list, export and import."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import httpx

from ._client import path_of
from ._errors import error_of
from ._life import AgentSessionService

_NDJSON = "application/x-ndjson"


class Endpoint:
    """Lists, exports and imports whole apps."""

    def __init__(self, service: AgentSessionService) -> None:
        self.service = service

    async def apps(self) -> list[str]:
        """Returns the names of all apps that have a session."""
        response = await self.service._transport.send("GET", "/list-apps", headers=await self._headers("", None))
        names: list[str] = response.json()
        return names

    async def last_updates(self, app: str, user: str | None) -> dict[tuple[str, str], float]:
        """Returns the last update time of each session, by user and id."""
        found: dict[tuple[str, str], float] = {}
        params = {"includeEval": "true", "includeState": "false"}
        while True:
            response = await self.service._call("GET", app, user, "sessions", params=params)
            found.update({(item["userId"], item["id"]): item["lastUpdateTime"] for item in response.json()})
            if "X-Next-Page-Token" not in response.headers:
                return found
            params["pageToken"] = response.headers["X-Next-Page-Token"]

    async def import_lines(self, app: str, user: str | None, body: bytes | AsyncIterator[bytes]) -> dict[str, Any]:
        """Imports an export. The client retries bytes after a lost response, but not a stream."""
        headers = {"Content-Type": _NDJSON, **await self._headers(app, user)}
        path = _transfer_path(app, user, ":import")
        if isinstance(body, bytes):
            response = await self.service._transport.send("POST", path, content=body, headers=headers)
        else:
            client = self.service._transport.client()
            response = await client.post(path, content=body, headers=headers, timeout=None)
        report: dict[str, Any] = _success(response).json()
        return report

    async def export_bytes(self, app: str, user: str | None) -> AsyncIterator[bytes]:
        """Streams the export of an app, or of one of its users."""
        client = self.service._transport.client()
        headers = await self._headers(app, user)
        async with client.stream("GET", _transfer_path(app, user, ":export"), headers=headers) as response:
            if not response.is_success:
                await response.aread()
            async for piece in _success(response).aiter_bytes():
                yield piece

    async def export_lines(self, app: str, user: str | None) -> AsyncIterator[bytes]:
        """Streams the same export, line by line."""
        rest: list[bytes] = []
        async for piece in self.export_bytes(app, user):
            first, *others = piece.split(b"\n")
            rest.append(first)
            for line in others:
                yield b"".join(rest)
                rest = [line]
        if any(rest):
            yield b"".join(rest)

    async def _headers(self, app: str, user: str | None) -> dict[str, str]:
        return await self.service._authorization(app, user)


def _transfer_path(app: str, user: str | None, verb: str) -> str:
    return path_of("apps", app, *(() if user is None else ("users", user))) + verb


def _success(response: httpx.Response) -> httpx.Response:
    if not response.is_success:
        raise error_of(response)
    return response
