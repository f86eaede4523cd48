"""Tests copies of databases that ADK itself has written: the copy is equal to the source."""

import asyncio
import json
import os
import re
import subprocess
import sys
import uuid
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
from google.adk.errors.already_exists_error import AlreadyExistsError
from google.adk.events.event import Event
from google.adk.events.event_actions import EventActions
from google.adk.sessions.base_session_service import BaseSessionService
from google.adk.sessions.in_memory_session_service import InMemorySessionService
from google.adk.sessions.session import Session
from google.genai import types
from proxy import FORWARD, LOSE_ANSWER, Proxy

from agent_sessions_adk import AgentSessionService
from agent_sessions_adk._copy import Copy, Report

database = pytest.importorskip("google.adk.sessions.database_session_service")

TIME = 1767225600.25


def message(
    number: int, *, timestamp: float | None = None, delta: dict[str, Any] | None = None, **fields: Any
) -> Event:
    return Event(
        id=f"e{number}",
        author="user" if number % 2 else "agent",
        invocation_id=f"i{number // 2}",
        timestamp=TIME + number if timestamp is None else timestamp,
        content=types.Content(
            role="user",
            parts=[
                types.Part(text=f"message {number} 日本"),
                types.Part(inline_data=types.Blob(mime_type="image/png", data=bytes([255, 254, number]))),
            ],
        ),
        actions=EventActions(state_delta=delta or {}),
        **fields,
    )


async def fill(service: BaseSessionService, app: str) -> None:
    """Creates two users whose sessions share state; one session has no events."""
    first = await service.create_session(
        app_name=app, user_id="alice", session_id="s1", state={"first": 1, "none": None, "user:u": "a", "app:a": [1]}
    )
    for number in range(5):
        delta = {"n": number, "user:n": number, "temp:t": 1} if number % 2 else {}
        await service.append_event(first, message(number, delta=delta))
    await service.create_session(app_name=app, user_id="alice", session_id="s2", state={"only": {"deep": [None, 1.5]}})
    bob = await service.create_session(app_name=app, user_id="bob", session_id="s1")
    await service.append_event(bob, message(1, long_running_tool_ids={"c1"}, branch="a.b"))


async def contents(service: BaseSessionService, app: str) -> list[dict[str, Any]]:
    listed = (await service.list_sessions(app_name=app)).sessions
    sessions = [
        await service.get_session(app_name=app, user_id=item.user_id, session_id=item.id)
        for item in sorted(listed, key=lambda item: (item.user_id, item.id))
    ]
    return [plain(session) for session in sessions if session]


def plain(session: Session) -> dict[str, Any]:
    return {
        **session.model_dump(mode="json", exclude_none=True, exclude={"last_update_time"}),
        "last_update_time": round(session.last_update_time, 6),
    }


def without_times(sessions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{name: value for name, value in session.items() if name != "last_update_time"} for session in sessions]


async def make_v0(uri: str) -> None:
    """Creates the tables of google-adk before 1.22; newer versions continue to use these tables."""
    from google.adk.sessions.schemas.v0 import Base
    from sqlalchemy.ext.asyncio import create_async_engine

    engine = create_async_engine(uri)
    async with engine.begin() as connection:
        await connection.run_sync(Base.metadata.create_all)
    await engine.dispose()


async def postgres_database() -> str:
    server = os.environ.get("AGENT_SESSIONS_TEST_POSTGRES")
    asyncpg = pytest.importorskip("asyncpg")
    if not server:
        pytest.skip("AGENT_SESSIONS_TEST_POSTGRES does not name a server")
    name = f"adk_{uuid.uuid4().hex}"
    connection = await asyncpg.connect(f"{server}/postgres")
    await connection.execute(f"create database {name}")
    await connection.close()
    return f"{server}/{name}".replace("postgresql://", "postgresql+asyncpg://")


@pytest.fixture(params=["sqlite-v1", "sqlite-v0", "sqlite-adk", "postgres-v1", "postgres-v0"])
async def source_uri(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    kind, schema = request.param.split("-")
    if schema == "adk":  # the default of `adk web`
        return f"sqlite:///{tmp_path}/adk.db"
    uri = f"sqlite+aiosqlite:///{tmp_path}/sessions.db" if kind == "sqlite" else await postgres_database()
    if schema == "v0":
        await make_v0(uri)
    return uri


def service_of(uri: str) -> BaseSessionService:
    return Copy(uri, uri)._open(uri)


@pytest.fixture
async def source(source_uri: str) -> AsyncIterator[BaseSessionService]:
    service = service_of(source_uri)
    yield service
    if hasattr(service, "close"):
        await service.close()


def copy(source: str, url: str, app: str, **options: Any) -> Copy:
    return Copy(source, "agentsessions" + url.removeprefix("http"), apps=[app], **options)


async def test_what_adk_has_written_comes_out_as_it_went_in(
    source: BaseSessionService, source_uri: str, url: str, service: AgentSessionService, app: str
) -> None:
    await fill(source, app)
    before = await contents(source, app)
    assert len(before) == 3

    report = await copy(source_uri, url, app).run()

    assert (report.copied, report.events, report.there, report.left_out) == (3, 6, 0, 0), report.text()
    assert await contents(service, app) == before

    again = await copy(source_uri, url, app).run()
    assert (again.copied, again.there, again.left_out) == (0, 3, 0), again.text()
    checked = await copy(source_uri, url, app, check=True).run()
    assert (checked.copied, checked.there, checked.left_out) == (0, 3, 0), checked.text()


#: The columns that the table of events did not have, by the last version of google-adk without them
EARLY = {
    "1.17": ["usage_metadata", "citation_metadata", "input_transcription", "output_transcription"],
    "1.12": ["custom_metadata"],
    "0.1": ["long_running_tool_ids_json", "grounding_metadata", "partial", "turn_complete", "error_code",
            "error_message", "interrupted"],
}  # fmt: skip


@pytest.mark.parametrize("version", EARLY)
@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
async def test_reads_the_tables_of_early_versions(
    version: str, kind: str, tmp_path: Path, url: str, service: AgentSessionService, app: str
) -> None:
    from sqlalchemy import text
    from sqlalchemy.ext.asyncio import create_async_engine

    uri = f"sqlite+aiosqlite:///{tmp_path}/sessions.db" if kind == "sqlite" else await postgres_database()
    await make_v0(uri)
    source = service_of(uri)
    await fill(source, app)
    before = await contents(source, app)
    engine = create_async_engine(uri)
    async with engine.begin() as connection:
        for column in [column for later, columns in EARLY.items() if later >= version for column in columns]:
            await connection.execute(text(f"alter table events drop column {column}"))
    await engine.dispose()

    report = await copy(uri, url, app).run()

    assert (report.copied, report.events, report.left_out) == (3, 6, 0), report.text()
    copied = await contents(service, app)
    for session in [*before, *copied] if version == "0.1" else []:
        for stored in session["events"]:
            stored.pop("long_running_tool_ids", None)
    assert copied == before


async def share_only(service: BaseSessionService, app: str, user: str, state: dict[str, Any]) -> None:
    """Creates shared state without a session."""
    names = {"app_name": app, "user_id": user, "session_id": "gone"}
    await service.create_session(**names, state=state)
    await service.delete_session(**names)


async def shared(service: AgentSessionService, app: str, user: str) -> dict[str, Any]:
    """Returns the shared state of a user and the app, as a new session shows it."""
    new = await service.create_session(app_name=app, user_id=user)
    await service.delete_session(app_name=app, user_id=user, session_id=new.id)
    return new.state


@pytest.fixture
def in_memory() -> InMemorySessionService:
    from google.adk.cli.service_registry import get_service_registry

    source = InMemorySessionService()
    get_service_registry().register_session_service("inmemory", lambda uri, **_: source)
    return source


async def copies_what_is_shared_without_sessions(
    source: BaseSessionService, uri: str, url: str, service: AgentSessionService, app: str
) -> None:
    await source.create_session(app_name=app, user_id="alice", session_id="s1", state={"user:u": "a", "app:a": 1})
    await share_only(source, app, "carol", {"user:u": {"deep": [None, "日本"]}})
    await share_only(source, app, "dave", {"temp:t": 1})
    await share_only(source, f"{app}-empty", "erin", {"app:only": True, "user:u": "e"})

    dry = await Copy(uri, "agentsessions" + url.removeprefix("http"), dry_run=True).run()
    report = await Copy(uri, "agentsessions" + url.removeprefix("http")).run()

    assert (report.copied, report.shared, report.left_out, report.notes) == (1, 3, 0, {}), report.text()
    assert (dry.copied, dry.shared) == (1, 3)
    assert "the state of 3 users and apps without sessions copied, or was there" in report.text()
    assert await shared(service, app, "alice") == {"app:a": 1, "user:u": "a"}
    assert await shared(service, app, "carol") == {"app:a": 1, "user:u": {"deep": [None, "日本"]}}
    assert await shared(service, f"{app}-empty", "erin") == {"app:only": True, "user:u": "e"}
    again = await copy(uri, url, app).run()
    assert (again.copied, again.shared, again.left_out) == (0, 1, 0), again.text()
    one = await copy(uri, url, app, user="carol").run()
    assert (one.copied, one.shared, one.left_out) == (0, 1, 0), one.text()


async def test_copies_what_users_and_apps_without_sessions_share(
    source: BaseSessionService, source_uri: str, url: str, service: AgentSessionService, app: str
) -> None:
    await copies_what_is_shared_without_sessions(source, source_uri, url, service, app)


async def test_copies_what_is_shared_in_memory(
    in_memory: InMemorySessionService, url: str, service: AgentSessionService, app: str
) -> None:
    await copies_what_is_shared_without_sessions(in_memory, "inmemory://", url, service, app)


async def test_says_that_a_source_does_not_list_users_without_sessions(
    registered: Callable[[list[Session]], "Source"], url: str, service: AgentSessionService, app: str
) -> None:
    registered([session(app, 1, message(0), last_update_time=60.0)])
    report = await copy("odd://", url, app).run()
    assert "note: users without sessions cannot be listed in this source" in report.text()
    uri = "agentsessions" + url.removeprefix("http")
    assert "cannot be listed" in (await Copy(uri, uri, apps=[app]).run()).text()
    assert (await Copy(uri, uri, apps=[app], user="alice").run()).notes == {}


async def test_copies_an_app_without_sessions_from_agent_sessions(
    in_memory: InMemorySessionService, url: str, service: AgentSessionService, app: str
) -> None:
    await share_only(service, app, "alice", {"app:a": 1, "user:u": "a"})
    uri = "agentsessions" + url.removeprefix("http")
    report = await Copy(uri, "inmemory://", apps=[app]).run()
    assert (report.shared, report.left_out) == (1, 0), report.text()
    assert in_memory.app_state[app] == {"a": 1}
    one = await Copy(uri, "inmemory://", apps=[app], user="alice").run()
    assert (one.left_out, in_memory.user_state[app]["alice"]) == (0, {"u": "a"}), one.text()
    assert not any(in_memory.sessions.get(app, {}).values())


async def test_goes_back_and_is_the_same(
    source: BaseSessionService, source_uri: str, url: str, app: str, service: AgentSessionService, tmp_path: Path
) -> None:
    await fill(service, app)
    before = await contents(service, app)
    back = Copy("agentsessions" + url.removeprefix("http"), source_uri, apps=[app])

    report = await back.run()

    assert (report.copied, report.left_out) == (3, 0), report.text()
    after = await contents(source, app)
    assert [item["state"] for item in after] == [item["state"] for item in before]
    if getattr(source, "_db_schema_version", "1") == "1":  # version 0 does not store every field of an event
        assert without_times(after) == without_times(before)
    again = await back.run()
    assert (again.copied, again.there, again.left_out) == (0, 3, 0), again.text()


async def test_goes_on_with_a_session_that_is_there_in_part(
    source: BaseSessionService, source_uri: str, url: str, app: str, service: AgentSessionService
) -> None:
    await fill(service, app)
    part = await source.create_session(app_name=app, user_id="alice", session_id="s1", state={"first": 1, "none": None})
    await source.append_event(part, message(0))
    other = await source.create_session(app_name=app, user_id="bob", session_id="s1")
    await source.append_event(other, message(7))

    report = await Copy("agentsessions" + url.removeprefix("http"), source_uri, apps=[app]).run()

    assert (report.copied, report.events, report.left_out) == (2, 4, 1), report.text()
    assert report.reasons == [(f"{app}/bob/s1", "is there with other events")]
    copied = await source.get_session(app_name=app, user_id="alice", session_id="s1")
    assert copied
    assert [item.id for item in copied.events] == ["e0", "e1", "e2", "e3", "e4"]
    assert copied.state["n"] == 3


async def test_copies_between_two_services_without_understanding(
    url: str, service: AgentSessionService, app: str
) -> None:
    await fill(service, app)
    uri = "agentsessions" + url.removeprefix("http")
    report = await Copy(uri, uri, apps=[app]).run()
    assert (report.copied, report.there, report.left_out) == (0, 3, 0), report.text()
    dry = await Copy(uri, uri, apps=[app], dry_run=True).run()
    assert (dry.copied, dry.events) == (3, 6)


class Source(BaseSessionService):
    """A source with invalid data."""

    def __init__(self, sessions: list[Session]) -> None:
        self.sessions = {(session.user_id, session.id): session for session in sessions}
        self.reads = 0

    async def list_sessions(self, *, app_name: str, user_id: str | None = None) -> Any:
        from google.adk.sessions.base_session_service import ListSessionsResponse

        found = [item.model_copy(update={"events": []}) for item in self.sessions.values()]
        return ListSessionsResponse(sessions=[item for item in found if user_id in (None, item.user_id)])

    async def get_session(self, *, app_name: str, user_id: str, session_id: str, config: Any = None) -> Session | None:
        self.reads += 1
        session = self.sessions[user_id, session_id]
        if session.state.get("broken"):
            raise RuntimeError("broken")
        return session

    async def create_session(self, **_: Any) -> Session:
        raise AlreadyExistsError("read only")

    async def delete_session(self, **_: Any) -> None:
        raise NotImplementedError


@pytest.fixture
def registered() -> Callable[[list[Session]], Source]:
    def register(sessions: list[Session]) -> Source:
        from google.adk.cli.service_registry import get_service_registry

        source = Source(sessions)
        get_service_registry().register_session_service("odd", lambda uri, **_: source)
        return source

    return register


def session(app: str, number: int, *events: Event, user: str = "alice", **fields: Any) -> Session:
    return Session(app_name=app, user_id=user, id=f"s{number}", events=list(events), **fields)


async def test_keeps_order_whatever_the_timestamps_say(
    registered: Callable[[list[Session]], Source], url: str, service: AgentSessionService, app: str
) -> None:
    events = [
        message(0, timestamp=50.5),
        message(1, timestamp=10.0),
        message(2, timestamp=99.0),
        message(3, timestamp=60.0),
    ]
    registered([session(app, 1, *events, last_update_time=60.0), session(app, 2, last_update_time=5.000001)])

    report = await copy("odd://", url, app).run()

    assert report.left_out == 0, report.text()
    read = await service.get_session(app_name=app, user_id="alice", session_id="s1")
    assert read
    assert [(item.id, item.timestamp) for item in read.events] == [(item.id, item.timestamp) for item in events]
    assert read.last_update_time == 60.0
    empty = await service.get_session(app_name=app, user_id="alice", session_id="s2")
    assert empty
    assert empty.last_update_time == 5.000001


async def test_says_what_was_left_out_and_why_and_takes_the_others(
    registered: Callable[[list[Session]], Source], url: str, service: AgentSessionService, app: str
) -> None:
    taken = await service.create_session(app_name=app, user_id="alice", session_id="s3")
    registered(
        [
            session(app, 1, message(1), message(1), last_update_time=TIME),
            session(app, 2, state={"broken": True}, last_update_time=TIME),
            session(app, 3, message(1), last_update_time=TIME),
            session(app, 4, message(1), last_update_time=99e9),
            session(app, 5, message(1), user="b/o\\b", last_update_time=TIME, state={"f": float("nan")}),
            Session(app_name=app, user_id="carol", id="a/b", last_update_time=TIME),
        ]
    )

    report = await copy("odd://", url, app).run()

    assert (report.copied, report.left_out) == (1, 5), report.text()
    reasons = dict(report.reasons)
    assert "cannot be read: RuntimeError('broken')" in reasons[f"{app}/alice/s2"]
    assert "Another session has the name" in reasons[f"{app}/alice/s3"]
    assert "lastUpdateTime" in reasons[f"{app}/alice/s4"]
    assert "event" in reasons[f"{app}/alice/s1"]
    assert (await service.get_session(app_name=app, user_id="alice", session_id=taken.id)) == taken
    odd = await service.get_session(app_name=app, user_id="b/o\\b", session_id="s5")
    assert odd
    assert odd.state == {"f": "nan"}


async def test_dry_run_writes_nothing(
    registered: Callable[[list[Session]], Source], url: str, service: AgentSessionService, app: str
) -> None:
    registered([session(app, number, message(1), last_update_time=TIME) for number in range(3)])
    shown: list[Report] = []
    report = await copy("odd://", url, app, dry_run=True, progress=shown.append).run()
    assert (report.copied, report.events, report.total) == (3, 3, 3)
    assert report.text().startswith("3 sessions with 3 events would be copied, 0 were there, 0 left out")
    assert shown
    assert (await service.list_sessions(app_name=app)).sessions == []


async def test_copies_one_user(
    registered: Callable[[list[Session]], Source], url: str, service: AgentSessionService, app: str
) -> None:
    registered([session(app, 1, user=user, last_update_time=TIME) for user in ("alice", "bob")])
    report = await copy("odd://", url, app, user="bob").run()
    assert (report.copied, report.left_out) == (1, 0), report.text()
    assert [item.user_id for item in (await service.list_sessions(app_name=app)).sessions] == ["bob"]


async def test_a_lost_answer_copies_nothing_twice(
    registered: Callable[[list[Session]], Source], proxy: Proxy, service: AgentSessionService, app: str
) -> None:
    registered([session(app, number, message(1), last_update_time=TIME) for number in range(3)])
    proxy.faults = [FORWARD, LOSE_ANSWER]
    report = await copy("odd://", proxy.url, app).run()
    assert (report.copied + report.there, report.left_out) == (3, 0), report.text()
    assert len((await service.list_sessions(app_name=app)).sessions) == 3


async def test_goes_on_after_it_was_killed(url: str, service: AgentSessionService, app: str, tmp_path: Path) -> None:
    uri = f"sqlite+aiosqlite:///{tmp_path}/sessions.db"
    source = database.DatabaseSessionService(uri)
    for number in range(450):
        created = await source.create_session(app_name=app, user_id=f"u{number % 7}", session_id=f"s{number}")
        await source.append_event(created, message(1))
    await source.close()
    command = [
        sys.executable,
        "-m",
        "agent_sessions_adk",
        "copy",
        "--from",
        uri,
        "--app",
        app,
        "--to",
        "agentsessions" + url.removeprefix("http"),
    ]
    process = await asyncio.create_subprocess_exec(*command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    while process.returncode is None and not (await service.list_sessions(app_name=app)).sessions:
        pass  # the request itself takes time, so no sleep is needed
    if process.returncode is None:
        process.kill()
    await process.wait()
    copied = len((await service.list_sessions(app_name=app)).sessions)
    assert 0 < copied <= 450

    done = await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    output, _ = await done.communicate()

    assert done.returncode == 0, output
    numbers = [int(number) for number in re.findall(r"\d+", output.decode())]
    new, _, there, left_out = numbers
    assert new + there == 450  # the service has finished the requests that it received
    assert there >= copied
    assert left_out == 0
    assert len((await service.list_sessions(app_name=app)).sessions) == 450


async def test_the_command_of_the_readme_prints_what_the_page_says(url: str, app: str, tmp_path: Path) -> None:
    folder = Path(__file__).parents[1]
    page = (folder / "README.md").read_text()
    command, output = re.findall(r"```\n(python -m agent_sessions_adk copy .*)\n```\n\n```\n(.*)\n```", page)[0]
    assert command in (folder.parents[1] / "docs" / "clients.md").read_text()
    source = database.DatabaseSessionService(f"sqlite+aiosqlite:///{tmp_path}/sessions.db")
    created = await source.create_session(app_name=app, user_id="alice")
    for number in range(2):
        await source.append_event(created, message(number))
    await source.close()
    command = command.replace("travel", app).replace("://localhost:8080", url.removeprefix("http"))

    done = await asyncio.create_subprocess_exec(
        sys.executable, *command.split()[1:], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )

    printed, _ = await done.communicate()
    assert printed.decode().strip() == output


async def test_copies_from_vertex_ai(url: str, service: AgentSessionService, app: str) -> None:
    platform = pytest.importorskip("agentplatform")
    from google.adk.cli.service_registry import get_service_registry
    from google.adk.sessions.vertex_ai_session_service import VertexAiSessionService
    from google.oauth2.credentials import Credentials

    engine = str(uuid.uuid4().int)[:15]

    class Vertex(VertexAiSessionService):
        def _build_api_client(self) -> Any:
            options = types.HttpOptions(base_url=url)
            client = platform.Client(project="p", location="l", credentials=Credentials("any"), http_options=options)
            return client.aio

        _get_api_client = _build_api_client  # its name before google-adk 2

        def _get_reasoning_engine_id(self, app_name: str) -> str:
            return engine

    vertex = Vertex(project="p", location="l")
    get_service_registry().register_session_service("vertex", lambda uri, **_: vertex)
    first = await vertex.create_session(app_name=app, user_id="alice", session_id="s1", state={"a": 1, "user:u": 2})
    for number in range(3):
        await vertex.append_event(first, message(number, delta={"n": number}))

    report = await copy("vertex://", url, app).run()

    assert (report.copied, report.events, report.left_out) == (1, 3, 0), report.text()
    read = await service.get_session(app_name=app, user_id="alice", session_id="s1")
    there = await vertex.get_session(app_name=app, user_id="alice", session_id="s1")
    assert read
    assert there
    assert plain(read) == plain(there)
    assert read.state == {"a": 1, "user:u": 2, "n": 2}


def test_says_what_is_wrong_with_its_arguments(url: str, tmp_path: Path) -> None:
    sqlite = f"sqlite+aiosqlite:///{tmp_path}/sessions.db"
    for source, target, words in (
        (sqlite, sqlite, "agentsessions://"),
        (sqlite, "agentsessions://no-such-host.invalid", "no-such-host.invalid cannot be reached"),
    ):
        command = [sys.executable, "-m", "agent_sessions_adk", "copy", "--from", source, "--to", target]
        command += ["--app", "a"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 2
        assert words in done.stderr


def test_imports_only_lines_that_json_can_say() -> None:
    from agent_sessions_adk._copy_in import _line

    assert json.loads(_line(kind="x", userId=None)) == {"kind": "x"}


def test_the_time_of_a_copy_is_the_nearest_microsecond() -> None:
    from agent_sessions_adk._copy_in import _text, _time

    assert _text(_time(1795356153.7887235)) == "2026-11-22T14:02:33.788723+00:00"
