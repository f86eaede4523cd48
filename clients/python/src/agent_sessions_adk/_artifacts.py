# SPDX-License-Identifier: Apache-2.0
"""ADK's artifact service over the HTTP API of Agent Sessions."""

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

import httpx
from google.adk.artifacts.base_artifact_service import ArtifactVersion, BaseArtifactService
from google.genai import types

from ._client import Client, TokenFunction, retry_key
from ._errors import AgentSessionsError, AlreadyExistsError, SessionNotFoundError
from ._json import jsonable

#: No artifact has a version with another number, and the service refuses a request for one.
_MAX_VERSION = 2**31 - 1


class AgentSessionArtifactService(Client, BaseArtifactService):
    """Keeps files that agents save: versions 0, 1, 2 of a name, of a session or of a user (`user:` or no session)."""

    def __init__(
        self,
        url: str | None = None,
        *,
        api_key: str | None = None,
        token: TokenFunction | None = None,
        timeout: float = 60.0,
        retry_for: float = 60.0,
        unavailable_timeout: float = 60.0,
        http_options: Mapping[str, Any] | None = None,
    ) -> None:
        """Sets the address of the service and the settings of the client, as for AgentSessionService."""
        super().__init__(url, token or api_key, timeout, retry_for, unavailable_timeout, http_options)

    async def save_artifact(
        self,
        *,
        app_name: str,
        user_id: str,
        filename: str,
        artifact: types.Part | dict[str, Any],
        session_id: str | None = None,
        custom_metadata: dict[str, Any] | None = None,
    ) -> int:
        """Saves a version and returns its number. A retry after a lost response saves nothing twice.

        Creates the session if there is none, because ADK's artifact services need none.
        """
        part = types.Part.model_validate(artifact) if isinstance(artifact, dict) else artifact
        scope = (app_name, user_id, *_session(session_id), "artifacts")
        key = retry_key()
        for attempt in (1, 2):
            try:
                return int((await self._save(scope, filename, part, custom_metadata, key)).json()["version"])
            except SessionNotFoundError:
                if attempt == 2 or session_id is None:
                    raise
                await self._create_session(app_name, user_id, session_id)
        raise AssertionError("unreachable")

    async def _save(
        self,
        scope: tuple[str, ...],
        filename: str,
        part: types.Part,
        custom_metadata: dict[str, Any] | None,
        key: dict[str, str],
    ) -> httpx.Response:
        blob = part.inline_data
        if blob is None or blob.data is None:
            body = {
                "filename": filename,
                "artifact": part.model_dump(mode="json", by_alias=True, exclude_none=True),
                "customMetadata": custom_metadata,
            }
            return await self._call("POST", *scope, body=body, headers=key)
        # Raw bytes may be larger than a JSON body
        headers = key | {"Content-Type": blob.mime_type or "application/octet-stream"}
        if custom_metadata:
            headers["X-Custom-Metadata"] = quote(json.dumps(jsonable(custom_metadata)))
        params = {"displayName": blob.display_name} if blob.display_name else {}
        return await self._call("PUT", *scope, filename, headers=headers, params=params, content=blob.data)

    async def _create_session(self, app_name: str, user_id: str, session_id: str) -> None:
        try:
            await self._call("POST", app_name, user_id, "sessions", body={"sessionId": session_id}, headers=retry_key())
        except AlreadyExistsError:
            pass  # somebody else was faster

    async def load_artifact(
        self,
        *,
        app_name: str,
        user_id: str,
        filename: str,
        session_id: str | None = None,
        version: int | None = None,
    ) -> types.Part | None:
        """Returns the newest or another version, or what it refers to; None if there is none."""
        found = await self._get_version(app_name, user_id, session_id, filename, version)
        return None if found is None else types.Part.model_validate_json(found.content)

    async def list_artifact_keys(self, *, app_name: str, user_id: str, session_id: str | None = None) -> list[str]:
        """Returns the names of the artifacts of the session and the user, those of the user with `user:`."""
        found = await self._get(app_name, user_id, session_id)
        return [] if found is None else list(found.json())

    async def delete_artifact(
        self, *, app_name: str, user_id: str, filename: str, session_id: str | None = None
    ) -> None:
        """Deletes all versions of an artifact."""
        try:
            await self._call("DELETE", app_name, user_id, *_session(session_id), "artifacts", filename)
        except SessionNotFoundError:
            pass  # then it has no artifacts

    async def list_versions(
        self, *, app_name: str, user_id: str, filename: str, session_id: str | None = None
    ) -> list[int]:
        """Returns the numbers of all versions of an artifact."""
        found = await self._get(app_name, user_id, session_id, filename, "versions")
        return [] if found is None else list(found.json())

    async def list_artifact_versions(
        self, *, app_name: str, user_id: str, filename: str, session_id: str | None = None
    ) -> list[ArtifactVersion]:
        """Returns all versions of an artifact with their metadata."""
        found = await self._get(app_name, user_id, session_id, filename, "versions", "metadata")
        return [] if found is None else [ArtifactVersion.model_validate(version) for version in found.json()]

    async def get_artifact_version(
        self,
        *,
        app_name: str,
        user_id: str,
        filename: str,
        session_id: str | None = None,
        version: int | None = None,
    ) -> ArtifactVersion | None:
        """Returns the metadata of the newest or another version; None if there is none."""
        found = await self._get_version(app_name, user_id, session_id, filename, version, "metadata")
        return None if found is None else ArtifactVersion.model_validate_json(found.content)

    async def _get_version(
        self, app_name: str, user_id: str, session_id: str | None, filename: str, version: int | None, *rest: str
    ) -> httpx.Response | None:
        if version is not None and not 0 <= version <= _MAX_VERSION:
            return None
        number = "latest" if version is None else str(version)
        return await self._get(app_name, user_id, session_id, filename, "versions", number, *rest)

    async def _get(self, app_name: str, user_id: str, session_id: str | None, *rest: str) -> httpx.Response | None:
        try:
            return await self._call("GET", app_name, user_id, *_session(session_id), "artifacts", *rest)
        except SessionNotFoundError:
            return None
        except AgentSessionsError as error:
            if error.code == "ARTIFACT_NOT_FOUND":
                return None
            raise


def _session(session_id: str | None) -> tuple[str, ...]:
    return () if session_id is None else ("sessions", session_id)
