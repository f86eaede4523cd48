# SPDX-License-Identifier: Apache-2.0
"""Copies sessions from any of ADK's session services to Agent Sessions, or back."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from google.adk.sessions.base_session_service import BaseSessionService

from ._copy_in import copy_in
from ._copy_out import copy_out
from ._life import AgentSessionService
from ._registry import from_uri, register
from ._report import Report
from ._shared import apps_of
from ._transfer import Endpoint

__all__ = ["Copy", "Report"]

_SECONDS_BETWEEN_LINES = 0.5


@dataclass
class Copy:
    """The settings of one copy.

    Attributes:
        source: the URI of a session service, as `adk web --session_service_uri` takes it.
        target: the same for the target. One of the two is `agentsessions://...`.
        apps: the apps to copy; by default all apps that the source can list. ADK's tables and its in-memory service
            list all apps; Agent Sessions lists the apps that have a session.
        user: copies only the sessions of this user.
        agents_dir: the folder with a `services.py` that registers further services.
        dry_run: reads everything, but writes nothing.
        check: compares whole sessions with the sessions of the target, and not only the times of their last update.
        progress: receives the report so far, at most every half second.
    """

    source: str
    target: str
    apps: list[str] | None = None
    user: str | None = None
    agents_dir: str = "."
    dry_run: bool = False
    check: bool = False
    progress: Callable[[Report], None] | None = None
    _shown: float = field(default=0.0, init=False, repr=False)

    async def run(self) -> Report:
        """Copies the sessions and returns a report.

        Raises:
            ValueError: An argument is invalid or missing.
            AgentSessionsError: The client cannot reach the service, or the service refuses the copy.
        """
        report = Report(dry_run=self.dry_run, changed=self._show)
        source, target = self._open(self.source), self._open(self.target)
        try:
            if isinstance(target, AgentSessionService):
                for app in await self._apps(source):
                    await copy_in(self, source, Endpoint(target), app, report)
            elif isinstance(source, AgentSessionService):
                for app in await self._apps(source):
                    await copy_out(self, Endpoint(source), target, app, report)
            else:
                raise ValueError("One of --from and --to has to be agentsessions://...")
        finally:
            for service in (source, target):
                if hasattr(service, "close"):
                    await service.close()
        return report

    def _open(self, uri: str) -> BaseSessionService:
        from google.adk.cli.service_registry import load_services_module
        from google.adk.cli.utils.service_factory import create_session_service_from_options

        if uri.startswith("agentsessions"):
            return from_uri(uri)
        register()
        load_services_module(self.agents_dir)
        return create_session_service_from_options(base_dir=self.agents_dir, session_service_uri=uri)

    async def _apps(self, source: BaseSessionService) -> list[str]:
        apps = self.apps or await apps_of(source)
        if apps is None:
            raise ValueError("Name the apps with --app: this source cannot list them")
        return apps

    def _show(self, report: Report) -> None:
        now = time.monotonic()
        if self.progress and now - self._shown > _SECONDS_BETWEEN_LINES:
            self._shown = now
            self.progress(report)
