# SPDX-License-Identifier: Apache-2.0
"""Sends requests to Agent Sessions, with the credentials of the caller."""

import json
import os
import uuid
from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from urllib.parse import quote

import httpx
from typing_extensions import Self

from ._errors import InvalidRequestError
from ._json import jsonable
from ._reach import Reach
from ._transport import Transport

#: Returns the bearer token for an app and a user, or for all users of the app (None).
TokenFunction = Callable[[str, str | None], str | Awaitable[str]]


class Client:
    """The address of the service, the credentials, and the connections."""

    def __init__(
        self,
        url: str | None,
        token: str | TokenFunction | None,
        timeout: float,
        retry_for: float,
        unavailable_timeout: float,
        http_options: Mapping[str, Any] | None,
    ) -> None:
        self.url = url = url or os.environ.get("AGENT_SESSIONS_URL") or "http://localhost:8080"
        self._token = token or os.environ.get("AGENT_SESSIONS_API_KEY")
        options = {
            "timeout": httpx.Timeout(timeout, connect=5.0, pool=None),
            "limits": httpx.Limits(max_connections=100, max_keepalive_connections=100, keepalive_expiry=30),
            **(http_options or {}),
            "base_url": url,
        }
        self._transport = Transport(Reach(url, retry_for, unavailable_timeout), options)

    async def close(self) -> None:
        """Closes the connections of the running event loop."""
        await self._transport.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _call(
        self, method: str, app: str, user: str | None, *rest: str, action: str = "", body: Any = None, **request: Any
    ) -> httpx.Response:
        path = path_of("apps", app, *(() if user is None else ("users", user)), *rest) + action
        headers = request.pop("headers", {}) | await self._authorization(app, user)
        if body is not None:
            headers["Content-Type"] = "application/json"
            request["content"] = json.dumps(jsonable(body), allow_nan=False).encode()
        return await self._transport.send(method, path, headers=headers, **request)

    async def _authorization(self, app: str, user: str | None) -> dict[str, str]:
        token = self._token(app, user) if callable(self._token) else self._token
        if isinstance(token, Awaitable):
            token = await token
        return {"Authorization": f"Bearer {token}"} if token else {}


def retry_key() -> dict[str, str]:
    """Returns a header with which the service knows a retry of one creation or one save."""
    return {"Idempotency-Key": str(uuid.uuid4())}


def path_of(*names: str) -> str:
    """Returns the path of these names, which may have any characters, and refuses names that change the path."""
    if any(name.strip() in ("", ".", "..") for name in names):  # these would change the path
        raise InvalidRequestError(f"A name or an id cannot be empty, '.' or '..': {names}")
    return "/" + "/".join(quote(name, safe="") for name in names)
