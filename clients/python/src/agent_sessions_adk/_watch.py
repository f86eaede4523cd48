# SPDX-License-Identifier: Apache-2.0
"""Follows the events of a session, over any number of connections."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, aclosing
from dataclasses import dataclass

import httpx
from google.adk.events.event import Event

from ._errors import error_of
from ._reach import BUSY, Attempts
from ._reading import read_event
from ._transport import Transport

#: Returns the headers with the token of the user.
Authorization = Callable[[], Awaitable[dict[str, str]]]


@dataclass(frozen=True)
class WatchedEvent:
    """An event of a session, and its seq.

    Attributes:
        seq: 1 for the first event of the session, then 2, without a gap; the revision of the session right after it.
        event: the event.
    """

    seq: int
    event: Event


@dataclass
class _Message:
    id: str | None = None
    type: str | None = None
    data: str | None = None


class Watch:
    """The position of one watch in a session."""

    def __init__(self, transport: Transport, path: str, authorization: Authorization, after_seq: int | None) -> None:
        self._transport = transport
        self._path = path
        self._authorization = authorization
        self._seq = after_seq
        self._last_id: str | None = None
        self._creation: str | None = None
        self._over = False

    async def events(self) -> AsyncGenerator[WatchedEvent, None]:
        """Yields the events until the session is deleted or expires, or a restored database has lost the last one."""
        attempts = Attempts(self._transport.reach)
        while True:
            answer: httpx.Response | httpx.TransportError
            connected = False
            try:
                async with await self._connect() as answer:
                    self._transport.reach.answered()
                    connected = answer.is_success
                    if connected:
                        async with aclosing(self._read(answer)) as events:
                            async for event in events:
                                yield event
                        answer = httpx.RemoteProtocolError("The connection ended")
                    elif self._is_gone(answer):
                        return
                    else:
                        await answer.aread()
                        if answer.status_code not in BUSY:
                            raise error_of(answer)
            except httpx.TransportError as error:
                answer = error
            if self._over:
                return
            if connected:
                attempts = Attempts(self._transport.reach)
            await attempts.after(answer)

    async def _connect(self) -> AbstractAsyncContextManager[httpx.Response]:
        """Requests the events after the last one, in one attempt. The caller reads the response as a stream."""
        headers = {"Accept": "text/event-stream", **await self._authorization()}
        if self._last_id is not None:
            headers["Last-Event-ID"] = self._last_id
        params = {} if self._seq is None else {"afterSeq": str(self._seq)}
        return self._transport.client().stream("GET", self._path, headers=headers, params=params)

    async def _read(self, response: httpx.Response) -> AsyncGenerator[WatchedEvent, None]:
        if self._is_of_another_session(response):
            self._over = True
            return
        async for message in _messages(response):
            if message.type == "end":
                # After expired credentials, the watch reconnects with a new token
                self._over = json.loads(message.data or "{}").get("reason") != "CREDENTIALS_EXPIRED"
                return
            if message.id is None:
                continue
            # The time of the event follows the seq and a dot
            self._last_id = message.id
            seq = self._seq = int(message.id.partition(".")[0])
            if message.data is not None:
                yield WatchedEvent(seq, read_event(json.loads(message.data), self._path))

    def _is_gone(self, response: httpx.Response) -> bool:
        """Whether a known session is deleted, or replaced by a session with fewer events."""
        return self._creation is not None and response.status_code in (400, 404)

    def _is_of_another_session(self, response: httpx.Response) -> bool:
        """Compares the key of the session, which follows the revision and a dot in the entity tag."""
        creation = response.headers.get("ETag", "").strip('"').split(".")[1:2]
        known, self._creation = self._creation, "".join(creation)
        return known is not None and known != self._creation


async def _messages(response: httpx.Response) -> AsyncGenerator[_Message, None]:
    """Yields the server-sent events, without an incomplete last one."""
    message = _Message()
    async for line in _lines(response):
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if not line:
            yield message
            message = _Message()
        elif name == "id":
            message.id = value
        elif name == "event":
            message.type = value
        elif name == "data":
            message.data = value if message.data is None else f"{message.data}\n{value}"


async def _lines(response: httpx.Response) -> AsyncGenerator[str, None]:
    """Yields lines that end at a line feed. httpx also splits at U+2028, U+0085 and others, which a text may have."""
    line = ""
    async for piece in response.aiter_text():
        first, *others = piece.split("\n")
        line += first
        for other in others:
            yield line
            line = other
