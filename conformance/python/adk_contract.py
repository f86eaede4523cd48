"""Runs the tests of ADK's own contract of session services, of a checkout of google/adk-python, on this service.

    python adk_contract.py CHECKOUT [arguments of pytest]

ADK's packages do not contain its tests, so conformance/run does not run them. AGENT_SESSIONS_URL says where the service
runs. ADK registers its own services in tests/unittests/sessions/_conformance.py; a module with this project's client
takes the place of that one. Tests that do not take a service of the contract are left out.
"""

import os
import sys
import types
import uuid
from collections.abc import AsyncIterator

import httpx
import pytest
from agent_sessions_adk import AgentSessionService

#: What this service does otherwise, and why.
DIFFERENCES = {
    "test_session_last_update_time_updates_on_event": "An update has the time of the service, which only grows, and not"
    " that of the event: a client whose clock is wrong must not put a session in the wrong place of a list.",
}


@pytest.fixture
async def session_service(request: pytest.FixtureRequest) -> AsyncIterator[AgentSessionService]:
    """Returns a service for which each app has a name of its own, as the tests share names."""
    if reason := DIFFERENCES.get(request.node.originalname):
        request.node.add_marker(pytest.mark.xfail(strict=True, reason=reason))
    prefix = f"{uuid.uuid4()}-".encode()

    async def rename(sent: httpx.Request) -> None:
        sent.url = sent.url.copy_with(raw_path=sent.url.raw_path.replace(b"/apps/", b"/apps/" + prefix, 1))

    async def name_back(response: httpx.Response) -> None:
        response._content = (await response.aread()).replace(prefix, b"")

    hooks = {"request": [rename], "response": [name_back]}
    async with AgentSessionService(os.environ["AGENT_SESSIONS_URL"], http_options={"event_hooks": hooks}) as service:
        yield service


class Contract:
    """A plugin of pytest that selects the tests of the contract."""

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        takes_service = [item for item in items if "session_service" in getattr(item, "fixturenames", ())]
        items[:] = [item for item in takes_service if "session_service" not in parameters(item)]


def parameters(item: pytest.Item) -> dict:
    """Returns the parameters of a test. A test that names its services itself is not one of the contract."""
    return item.callspec.params if hasattr(item, "callspec") else {}


def main(checkout: str, *arguments: str) -> int:
    os.chdir(checkout)
    sys.path.insert(0, checkout)
    backends = types.ModuleType("tests.unittests.sessions._conformance")
    vars(backends).update(BACKENDS=[], session_service=session_service)
    sys.modules[backends.__name__] = backends
    options = ["-q", "-W", "ignore", "-o", "asyncio_mode=auto", *arguments]
    return pytest.main([*options, "tests/unittests/sessions/test_session_service.py"], plugins=[Contract()])


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
