# SPDX-License-Identifier: Apache-2.0
"""ADK's memory service over the HTTP API of Agent Sessions."""

import json
import uuid
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timezone
from typing import Any

from google.adk.events.event import Event
from google.adk.memory.base_memory_service import BaseMemoryService, SearchMemoryResponse
from google.adk.memory.memory_entry import MemoryEntry
from google.adk.sessions.session import Session
from google.genai import types

from ._client import Client, TokenFunction
from ._current import session_of
from ._errors import AlreadyExistsError, InvalidRequestError, SessionNotFoundError

#: In UTF-16. The service refuses a longer query; a model call with a long message should not fail for it.
_MAX_QUERY_BYTES = 2 * 2000


class AgentSessionMemoryService(Client, BaseMemoryService):
    """Finds what was said in the sessions that Agent Sessions stores, and stores facts beside them."""

    def __init__(
        self,
        url: str | None = None,
        *,
        api_key: str | None = None,
        token: TokenFunction | None = None,
        limit: int = 5,
        around: int = 1,
        timeout: float = 40.0,
        retry_for: float = 10.0,
        unavailable_timeout: float = 5.0,
        http_options: Mapping[str, Any] | None = None,
    ) -> None:
        """Sets the address of the service and the settings of the client. All arguments are optional.

        Args:
            url, api_key, token, timeout, http_options: as for AgentSessionService.
            limit: the maximum number of memories that a search returns, 1 to 100.
            around: how many turns before and after a hit become part of its text, 0 to 5.
            retry_for, unavailable_timeout: as for AgentSessionService, but shorter, because a model call waits for it.
        """
        super().__init__(url, token or api_key, timeout, retry_for, unavailable_timeout, http_options)
        self._limit = limit
        self._around = around

    async def add_session_to_memory(self, session: Session) -> None:
        """Needed only for sessions of another session service: their events are stored as facts.

        A search finds all events of sessions that Agent Sessions stores, without this call.
        """
        await self.add_events_to_memory(
            app_name=session.app_name, user_id=session.user_id, events=session.events, session_id=session.id
        )

    async def add_events_to_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        events: Sequence[Event],
        session_id: str | None = None,
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Stores events as facts, unless Agent Sessions stores their session. Adding an event twice adds it once.

        As in ADK's own service, an event is not stored if another one of the session with its id is there.
        """
        if session_id and await self._is_stored(app_name, user_id, session_id):
            return
        for event in events:
            if content := _texts_of(event.content):
                metadata = {**(custom_metadata or {}), "session_id": session_id, "event_id": event.id}
                body = {
                    "id": _id_of(session_id, event),
                    "content": content,
                    "author": event.author or None,
                    "timestamp": event.timestamp,
                    "metadata": metadata,
                }
                with suppress(AlreadyExistsError):
                    await self._call("POST", app_name, user_id, "memories", body=body)

    async def add_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        memories: Sequence[MemoryEntry],
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Stores facts. An entry with an id is stored once, however often it is added."""
        for memory in memories:
            metadata = {**(custom_metadata or {}), **memory.custom_metadata}
            body = {
                "id": memory.id or str(uuid.uuid4()),  # chosen here, so that a retry stores it only once
                "content": memory.content.model_dump(mode="json", exclude_none=True),
                "author": memory.author,
                "timestamp": memory.timestamp,
                "metadata": metadata or None,
            }
            await self._call("POST", app_name, user_id, "memories", body=body)

    async def search_memory(self, *, app_name: str, user_id: str, query: str) -> SearchMemoryResponse:
        """Returns what was said and the facts that match best, without the session in which the user talks now."""
        if not query.strip():
            return SearchMemoryResponse()
        body = {
            "q": _cut(query),
            "mode": "text",
            "exceptSessionId": session_of(app_name, user_id),
            "limit": self._limit,
            "around": self._around,
            "facts": True,
        }
        found = await self._call("POST", app_name, user_id, "events", action=":search", body=body)
        return SearchMemoryResponse(memories=[_entry(hit) for hit in found.json()["hits"]])

    async def delete_memory(self, *, app_name: str, user_id: str, memory_id: str | None = None) -> None:
        """Deletes a fact, or makes an event unfindable; its session keeps it. The id is that of a found memory."""
        if memory_id is None:
            raise InvalidRequestError("memory_id is required; erasing a user is a request of administrators")
        await self._call("DELETE", app_name, user_id, "memories", memory_id)

    async def _is_stored(self, app_name: str, user_id: str, session_id: str) -> bool:
        try:
            await self._call("PATCH", app_name, user_id, "memory", body={"sessionId": session_id})
        except SessionNotFoundError:
            return False
        return True


def _cut(query: str) -> str:
    """Returns the beginning of a query that the service accepts: 2,000 characters of UTF-16."""
    return query.encode("utf-16-le", "surrogatepass")[:_MAX_QUERY_BYTES].decode("utf-16-le", "ignore")


def _texts_of(content: types.Content | None) -> dict[str, Any] | None:
    """Returns the content with only its texts, without thoughts; None if it has none."""
    parts = [part for part in (content and content.parts) or [] if (part.text or "").strip() and not part.thought]
    return {"role": content.role, "parts": [{"text": part.text} for part in parts]} if content and parts else None


def _id_of(session_id: str | None, event: Event) -> str:
    """Returns the same id for the same event."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(["agent-sessions", session_id, event.id])))


def _entry(hit: dict[str, Any]) -> MemoryEntry:
    """Converts a hit. The turns around it are lines of its text, so that a model sees the whole exchange."""
    content = hit["content"]
    near = [*hit.get("before", []), hit, *hit.get("after", [])]
    if len(near) > 1:
        content = {**content, "parts": [{"text": "\n".join(f"{turn['author']}: {_text(turn)}" for turn in near)}]}
    origin = {"session_id": hit.get("sessionId"), "event_id": hit.get("eventId"), "seq": hit.get("seq")}
    known = {name: value for name, value in origin.items() if value is not None}
    return MemoryEntry(
        id=hit["id"],
        content=types.Content.model_validate(content),
        author=hit["author"] or None,
        timestamp=datetime.fromtimestamp(hit["timestamp"], timezone.utc).isoformat(),
        custom_metadata={**known, "score": hit["score"], **hit.get("metadata", {})},
    )


def _text(turn: dict[str, Any]) -> str:
    return "\n".join(part["text"] for part in turn["content"]["parts"])
