# SPDX-License-Identifier: Apache-2.0
"""Lets ADK read the tables of earlier versions, whose table of events has fewer columns."""

from __future__ import annotations

import re
from typing import Any

from google.adk.sessions.base_session_service import BaseSessionService


async def read_early_columns(source: BaseSessionService) -> None:
    """Makes ADK read null from the columns that its own earlier version did not have (google-adk 0.1 to 1.x)."""
    if not hasattr(source, "db_engine"):  # not ADK's DatabaseSessionService
        return
    from google.adk.sessions.schemas.v0 import StorageEvent
    from sqlalchemy import event, inspect

    await source.list_sessions(app_name="", user_id="")  # ADK creates its tables at the first request
    async with source.db_engine.connect() as connection:
        columns = await connection.run_sync(lambda sync: inspect(sync).get_columns("events"))
    there = {column["name"] for column in columns}
    missing = [column.name for column in StorageEvent.__table__.columns if column.name not in there]
    if "event_data" in there or not missing:
        return
    absent = re.compile(rf"\bevents\.({'|'.join(missing)})\b")

    def read_null(_c: Any, _cursor: Any, statement: str, parameters: Any, *_: Any) -> tuple[str, Any]:
        return absent.sub("NULL", statement), parameters

    event.listen(source.db_engine.sync_engine, "before_cursor_execute", read_null, retval=True)
