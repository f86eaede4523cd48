"""Tests leases: the second run on a session fails before its model is called."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import signal
import sys
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest
from google.adk.agents import LlmAgent, SequentialAgent
from google.adk.agents.base_agent import BaseAgent
from google.adk.events.event import Event
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.adk.plugins.base_plugin import BasePlugin
from google.adk.runners import Runner
from google.adk.sessions.base_session_service import BaseSessionService
from google.adk.sessions.in_memory_session_service import InMemorySessionService
from google.adk.sessions.session import Session
from google.adk.tools.agent_tool import AgentTool
from google.genai import types
from proxy import LOSE_ANSWER, Proxy
from pydantic import PrivateAttr
from test_contract import event, reread

from agent_sessions_adk import (
    AgentSessionService,
    LeaseLostError,
    SessionBusyError,
    StaleSessionError,
    TurnLease,
    TurnLeasePlugin,
)


class Model(BaseLlm):
    """A model with a script: each step is a text, the name of a tool to call, or an action to run first."""

    model: str = "scripted"
    calls: int = 0
    _script: list[Any] = PrivateAttr(default_factory=list)

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        self.calls += 1
        step = self._script.pop(0) if self._script else "Yes."
        if callable(step):
            step = await step()
        part = types.Part(text=step)
        if step in llm_request.tools_dict:
            part = types.Part(
                function_call=types.FunctionCall(name=step, args={"request": "?"} if step == "inner" else {})
            )
        yield LlmResponse(content=types.Content(role="model", parts=[part]))


def scripted(*script: Any) -> Model:
    model = Model()
    model._script = list(script)
    return model


Kind = Callable[[Model], BaseAgent]


def plain(model: Model) -> BaseAgent:
    return LlmAgent(name="agent", model=model)


def sequential(model: Model) -> BaseAgent:
    return SequentialAgent(name="root", sub_agents=[LlmAgent(name="agent", model=model)])


KINDS: list[Kind] = [plain, sequential]


def runner(service: BaseSessionService, app: str, agent: BaseAgent, **options: Any) -> Runner:
    return Runner(app_name=app, agent=agent, session_service=service, plugins=[TurnLeasePlugin(**options)])


async def run(runner: Runner, session: Session) -> list[str]:
    question = types.Content(role="user", parts=[types.Part(text="Hm?")])
    said = []
    async with aclosing(runner.run_async(user_id="alice", session_id=session.id, new_message=question)) as events:
        async for one in events:
            said += [
                part.text for part in (one.content.parts if one.content and one.content.parts else []) if part.text
            ]
    return said


class Pause:
    """A model that waits until the test lets it continue."""

    def __init__(self, says: str = "Yes.") -> None:
        self.reached, self.over, self._says = asyncio.Event(), asyncio.Event(), says
        self.reached_hook: Callable[[], None] = lambda: None

    async def __call__(self) -> str:
        self.reached.set()
        self.reached_hook()
        await self.over.wait()
        return self._says


@pytest.fixture
async def session(service: AgentSessionService, app: str) -> Session:
    return await service.create_session(app_name=app, user_id="alice", session_id="s")


@pytest.fixture
async def other(url: str) -> AsyncIterator[AgentSessionService]:
    """Stands for another process."""
    async with AgentSessionService(url) as other:
        yield other


async def is_free(service: AgentSessionService, session: Session) -> bool:
    try:
        async with TurnLease(service, await reread(service, session)):
            return True
    except SessionBusyError:
        return False


async def wait_until_free(service: AgentSessionService, session: Session, seconds: float = 50) -> None:
    """Waits until the lease is released, for less time than the lease lasts without a renewal."""
    deadline = time.monotonic() + seconds
    while not await is_free(service, session):
        assert time.monotonic() < deadline
        await asyncio.sleep(0.05)


async def wait_until_over(service: AgentSessionService) -> None:
    """Waits for the end of a run: older ADK has no callback for failed runs, and no ADK has one for cancelled runs."""
    for _ in range(100):
        gc.collect()
        if not service._leases:
            return
        await asyncio.sleep(0.1)
    raise AssertionError(f"Turns without an end: {service._leases}")


@pytest.mark.parametrize("kind", KINDS)
async def test_the_second_turn_fails_before_its_model_is_called(
    service: AgentSessionService, other: AgentSessionService, app: str, session: Session, kind: Kind
) -> None:
    pause = Pause()
    first = asyncio.create_task(run(runner(service, app, kind(scripted(pause)), holder="worker-7"), session))
    await pause.reached.wait()
    model = scripted()
    second = runner(other, app, kind(model), ttl=5)

    with pytest.raises(SessionBusyError) as busy:
        await run(second, session)
    assert model.calls == 0
    assert busy.value.holder.startswith("worker-7:")
    assert 1 <= busy.value.retry_after <= 60
    assert abs(busy.value.expire_time - time.time()) < 120
    assert len((await reread(service, session)).events) == 1

    pause.over.set()
    assert await first == ["Yes."]
    assert await run(second, session) == ["Yes."]
    assert model.calls == 1
    assert len((await reread(service, session)).events) == 4


async def test_every_append_of_a_run_carries_the_number(
    through_proxy: AgentSessionService, proxy: Proxy, app: str
) -> None:
    session = await through_proxy.create_session(app_name=app, user_id="alice", session_id="s")
    await run(runner(through_proxy, app, plain(scripted())), session)
    await through_proxy.append_event(await reread(through_proxy, session), event())
    routes = [target.partition("?")[0].rpartition("/")[2] for method, target in proxy.requests if method == "POST"]
    assert routes == ["sessions", "s:acquire", "events", "events", "s:release", "events"]
    leases = [
        headers.get("lease")
        for headers, (method, _) in zip(proxy.headers, proxy.requests, strict=True)
        if method == "POST"
    ]
    assert leases[2] is not None
    assert leases == [None, None, leases[2], leases[2], leases[2], None]
    assert through_proxy._leases == {}


async def test_a_lost_answer_does_not_lock_the_run_out(
    through_proxy: AgentSessionService, proxy: Proxy, app: str
) -> None:
    session = await through_proxy.create_session(app_name=app, user_id="alice", session_id="s")
    agent = runner(through_proxy, app, plain(scripted()))
    before = await reread(through_proxy, session)
    proxy.faults = ["forward", LOSE_ANSWER]
    assert await run(agent, before) == ["Yes."]
    assert proxy.faults == []


@pytest.mark.parametrize("kind", KINDS)
async def test_a_run_that_fails_gives_the_lease_back(
    service: AgentSessionService, app: str, session: Session, kind: Kind
) -> None:
    async def fail() -> str:
        raise ConnectionError("no model")

    with pytest.raises(ConnectionError):
        await run(runner(service, app, kind(scripted(fail))), session)
    await wait_until_over(service)
    assert await is_free(service, session)


@pytest.mark.parametrize("kind", KINDS)
async def test_a_run_whose_caller_stops_listening_gives_the_lease_back(
    service: AgentSessionService, app: str, session: Session, kind: Kind
) -> None:
    question = types.Content(role="user", parts=[types.Part(text="Hm?")])
    agent = runner(service, app, kind(scripted("One.", "Two.")))
    async with aclosing(agent.run_async(user_id="alice", session_id="s", new_message=question)) as events:
        async for _ in events:
            break
    await wait_until_free(service, session)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("early", [False, True])
async def test_a_task_that_is_cancelled_gives_the_lease_back(
    service: AgentSessionService, app: str, session: Session, kind: Kind, early: bool
) -> None:
    pause = Pause()
    task = asyncio.create_task(run(runner(service, app, kind(scripted(pause))), session))
    if early:
        while not service._leases:  # noqa: ASYNC110
            await asyncio.sleep(0)
        await asyncio.sleep(0.001)
    else:
        await pause.reached.wait()
        assert not await is_free(service, session)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await wait_until_free(service, session)


@pytest.mark.skipif(sys.version_info < (3, 11), reason="asyncio.timeout")
@pytest.mark.parametrize("kind", KINDS)
async def test_a_run_that_is_cancelled_in_a_task_that_goes_on_gives_the_lease_back(
    service: AgentSessionService, app: str, session: Session, kind: Kind
) -> None:
    pause = Pause()
    agent = runner(service, app, kind(scripted(pause)))

    async def impatient() -> None:
        async with asyncio.timeout(None) as patience:
            pause.reached_hook = lambda: patience.reschedule(0)
            await run(agent, session)

    with contextlib.suppress(TimeoutError):
        await impatient()
    await wait_until_over(service)
    await wait_until_free(service, session)


async def test_a_runner_that_is_closed_gives_the_lease_back(
    service: AgentSessionService, app: str, session: Session
) -> None:
    agent = runner(service, app, plain(scripted(Pause("One."))))
    pending = agent.run_async(
        user_id="alice", session_id="s", new_message=types.Content(role="user", parts=[types.Part(text="Hm?")])
    )
    task = asyncio.create_task(anext(pending))
    await asyncio.sleep(0.5)
    assert not await is_free(service, session)
    await agent.plugin_manager.close()
    assert await is_free(service, session)
    task.cancel()


@pytest.mark.parametrize("kind", KINDS)
async def test_the_lease_is_renewed_while_the_model_thinks(
    service: AgentSessionService, app: str, session: Session, kind: Kind
) -> None:
    pause = Pause()
    task = asyncio.create_task(run(runner(service, app, kind(scripted(pause)), ttl=3), session))
    await pause.reached.wait()
    for _ in range(5):
        await asyncio.sleep(1)
        assert not await is_free(service, session)
    pause.over.set()
    assert await task == ["Yes."]


async def test_nobody_waits_for_ever_for_a_run_of_which_nothing_is_heard(
    service: AgentSessionService, app: str, session: Session
) -> None:
    pause = Pause()
    task = asyncio.create_task(run(runner(service, app, plain(scripted(pause)), ttl=1, patience=1), session))
    await pause.reached.wait()
    await wait_until_free(service, session)
    pause.over.set()
    assert await task == ["Yes."]


async def test_a_pause_does_no_harm_if_nobody_else_began_a_turn(
    service: AgentSessionService, app: str, session: Session
) -> None:
    async def sleep() -> str:
        time.sleep(1.5)  # noqa: ASYNC251 like a tool that is not async
        return "Late."

    assert await run(runner(service, app, plain(scripted(sleep)), ttl=1), session) == ["Late."]


async def test_a_turn_that_somebody_else_has_taken_stores_nothing_and_calls_no_model(
    service: AgentSessionService, other: AgentSessionService, app: str, session: Session
) -> None:
    def look() -> dict[str, str]:
        """Looks."""
        return {"seen": "nothing"}

    stolen: list[TurnLease] = []

    async def lose() -> str:
        (turn,) = service._leases.values()
        assert turn._renewing
        turn._renewing.cancel()  # as if this process had paused for longer than the lease lasts
        await asyncio.sleep(1.2)
        stolen.append(TurnLease(other, await reread(other, session)))
        await stolen[0].acquire()
        return "look"

    model = scripted(lose)
    with pytest.raises(LeaseLostError, match="Another holder"):
        await run(runner(service, app, LlmAgent(name="agent", model=model, tools=[look]), ttl=1), session)
    assert model.calls == 1
    assert len((await reread(service, session)).events) == 1
    await stolen[0].release()
    await wait_until_over(service)


async def test_a_process_that_was_stopped_for_too_long_does_not_write_into_the_turn_of_another(
    url: str, service: AgentSessionService, app: str, session: Session
) -> None:
    program = Path(__file__).parent / "stopped_turn.py"
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-W", "ignore", str(program), app, stdout=asyncio.subprocess.PIPE, env={**os.environ}
    )
    assert process.stdout
    assert await process.stdout.readline() == b"thinking\n"
    process.send_signal(signal.SIGSTOP)
    assert not await is_free(service, session)
    await wait_until_free(service, session)
    pause = Pause("Mine.")
    mine = asyncio.create_task(run(runner(service, app, plain(scripted(pause))), session))
    await pause.reached.wait()
    process.send_signal(signal.SIGCONT)
    assert (await process.stdout.readline()).startswith(b"LeaseLostError")
    assert await process.wait() == 0
    pause.over.set()
    assert await mine == ["Mine."]
    texts = [one.content.parts[0].text for one in (await reread(service, session)).events if one.content]  # type: ignore[index]
    assert texts == ["Hm?", "Hm?", "Mine."]


async def test_a_session_that_has_changed_since_it_was_read_is_stale_before_the_model_is_called(
    service: AgentSessionService, other: AgentSessionService, app: str, session: Session
) -> None:
    class Meanwhile(BasePlugin):
        async def on_user_message_callback(self, **_: Any) -> None:
            await other.append_event(await reread(other, session), event())

    model = scripted()
    agent = Runner(
        app_name=app,
        agent=plain(model),
        session_service=service,
        plugins=[Meanwhile("meanwhile"), TurnLeasePlugin()],
    )
    with pytest.raises(StaleSessionError):
        await run(agent, session)
    assert model.calls == 0
    assert await is_free(service, session)


async def test_others_may_append_meanwhile_unless_the_lease_is_exclusive(
    service: AgentSessionService, other: AgentSessionService, session: Session
) -> None:
    async with TurnLease(service, session):
        await other.append_event(await reread(other, session), event())
    session = await reread(service, session)
    async with TurnLease(service, session, exclusive=True, holder="worker-7"):
        with pytest.raises(SessionBusyError, match="worker-7"):
            await other.append_event(await reread(other, session), event())
        await service.append_event(session, event())
        await service.rewind(session, "i")
    assert len((await reread(service, session)).events) == 3


async def test_an_agent_that_is_a_tool_runs_within_the_turn(
    service: AgentSessionService, app: str, session: Session
) -> None:
    inner = LlmAgent(name="inner", model=scripted("Deep."), description="Thinks.")
    agent = LlmAgent(name="agent", model=scripted("inner", "Done."), tools=[AgentTool(inner)])
    assert await run(runner(service, app, agent), session) == ["Done."]


async def test_a_service_without_leases_is_refused(app: str) -> None:
    class Foreign(BaseSessionService):
        def __init__(self) -> None:
            self._memory = InMemorySessionService()

        async def create_session(self, **names: Any) -> Session:
            return await self._memory.create_session(**names)

        async def get_session(self, **names: Any) -> Session | None:
            return await self._memory.get_session(**names)

        async def list_sessions(self, **names: Any) -> Any:
            return await self._memory.list_sessions(**names)

        async def delete_session(self, **names: Any) -> None:
            await self._memory.delete_session(**names)

        async def append_event(self, session: Session, event: Event) -> Event:
            return await self._memory.append_event(session, event)

    foreign = Foreign()
    session = await foreign.create_session(app_name=app, user_id="alice", session_id="s")
    with pytest.raises(RuntimeError, match="needs an AgentSessionService"):
        await run(runner(foreign, app, plain(scripted())), session)
    with pytest.raises(TypeError):
        TurnLease(AgentSessionService(), session)


async def test_who_slept_does_not_take_the_turn_again_behind_what_others_appended(
    service: AgentSessionService, other: AgentSessionService, session: Session
) -> None:
    async with TurnLease(service, session, ttl=1) as turn:
        assert turn._renewing
        turn._renewing.cancel()
        await asyncio.sleep(1.2)
        await other.append_event(await reread(other, session), event("theirs"))
        with pytest.raises(LeaseLostError):
            await service.append_event(session, event("mine"))
        with pytest.raises(LeaseLostError):
            await service.append_event(session, event("mine"))
    stored = await reread(service, session)
    assert [one.content.parts[0].text for one in stored.events] == ["theirs"]  # type: ignore[union-attr,index]
