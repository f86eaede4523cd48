"""Tests that run the programs of the README without changes."""

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest
from google.adk.sessions.session import Session
from google.genai import types
from test_contract import event, reread
from test_memory import AskingModel, content
from test_turns import plain, scripted

from agent_sessions_adk import AgentSessionMemoryService, AgentSessionService, TurnLease

README = (Path(__file__).parents[1] / "README.md").read_text()
PROGRAM, SERVICES, MEMORY, REPAIR, FOLLOW, TRY_AGAIN, ANSWER = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


def test_the_first_program_prints_what_the_page_says(
    url: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (Path(__file__).parent / "quickstart.py").read_text() == PROGRAM
    monkeypatch.setenv("AGENT_SESSIONS_URL", url)
    exec(PROGRAM, {"__name__": "__main__"})
    assert f"```text\n{capsys.readouterr().out}```" in README


def test_the_file_for_adk_is_the_one_that_is_tested() -> None:
    assert (Path(__file__).parent / "agents" / "services.py").read_text() == SERVICES


async def test_the_model_gets_what_was_said_in_another_session(
    service: AgentSessionService, app: str, url: str
) -> None:
    names: dict[str, Any] = {}
    exec(MEMORY, names)
    model = AskingModel(model="asking", seen=[])
    async with AgentSessionMemoryService(url) as memory:
        for message in (f"{app} is in Kyoto", f"Where is {app}?"):
            session = await service.create_session(app_name="travel", user_id="alice")
            runner = names["runner"](service, memory, model)
            async for _ in runner.run_async(user_id="alice", session_id=session.id, new_message=content(message)):
                pass
            assert f"{app} is in Kyoto" in model.seen[-1]


async def test_the_watch_shows_the_events(
    service: AgentSessionService, app: str, capsys: pytest.CaptureFixture[str]
) -> None:
    names: dict[str, Any] = {}
    exec(FOLLOW, names)
    session = await service.create_session(app_name=app, user_id="alice")
    await service.append_event(session, event("first"))
    following = asyncio.create_task(names["follow"](service, session))
    await service.append_event(session, event("second"))
    shown = ""
    while shown.count("\n") < 2:
        await asyncio.sleep(0.05)
        shown += capsys.readouterr().out
    await service.delete_session(app_name=app, user_id="alice", session_id=session.id)
    await asyncio.wait_for(following, 120)


async def test_the_other_try_begins_before_the_turn(
    service: AgentSessionService, app: str, capsys: pytest.CaptureFixture[str]
) -> None:
    names: dict[str, Any] = {}
    exec(TRY_AGAIN, names)
    session = await service.create_session(app_name=app, user_id="alice", state={"a": 1})
    await service.append_event(session, event("first", b=2))
    other = await names["try_again"](service, session, "i")
    assert sorted(capsys.readouterr().out.splitlines()) == ["a = 1 since event 0", "b = 2 since event 1"]
    assert (other.state, other.events) == ({"a": 1}, [])
    assert session.state == {"a": 1, "b": None}


async def test_the_second_of_two_answers_is_told_who_is_at_it(
    service: AgentSessionService, app: str, capsys: pytest.CaptureFixture[str]
) -> None:
    names: dict[str, Any] = {}
    exec(ANSWER, names)
    session_id = f"{app}-s"
    session = await service.create_session(app_name="travel", user_id="alice", session_id=session_id)
    model = scripted()

    async def answer() -> list[Any]:
        message = types.Content(role="user", parts=[types.Part(text="Hm?")])
        return [one async for one in names["answer"](service, plain(model), "alice", session_id, message)]

    async with TurnLease(service, session, holder="worker-7"):
        assert await answer() == []
    assert re.match(r"worker-7:\w+ is still at it, for \d+ seconds at most\n$", capsys.readouterr().out)
    assert model.calls == 0
    assert len(await answer()) == 1
    await service.delete_session(app_name="travel", user_id="alice", session_id=session_id)


async def test_the_repair_appends_behind_what_came_in_between(service: AgentSessionService, app: str) -> None:
    names: dict[str, Any] = {}
    exec(REPAIR, names)
    session: Session = await service.create_session(app_name=app, user_id="alice")
    await service.append_event(await reread(service, session), event("first"))
    second = event("second")
    await names["append"](service, session, second)
    assert (await reread(service, session)).events[1:] == [second]
