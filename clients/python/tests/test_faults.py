"""Tests lost responses and a busy service: every event is stored once, or the caller gets an error."""

import asyncio
import time

import pytest
from agents.concierge.agent import root_agent
from google.adk.runners import Runner
from google.genai import types
from proxy import CUT_ANSWER, FORWARD, LOSE_ANSWER, LOSE_REQUEST, Fault, Proxy
from test_contract import event, reread

from agent_sessions_adk import AgentSessionsError, AgentSessionService, AlreadyExistsError, StaleSessionError

FAULTS: list[Fault] = [LOSE_ANSWER, CUT_ANSWER, LOSE_REQUEST, 429, 503]


@pytest.mark.parametrize("fault", FAULTS)
async def test_an_append_is_sent_again_and_stored_once(
    through_proxy: AgentSessionService, proxy: Proxy, app: str, fault: Fault
) -> None:
    session = await through_proxy.create_session(app_name=app, user_id="alice")
    await through_proxy.append_event(session, event("one"))
    proxy.faults = [fault, fault]
    await through_proxy.append_event(session, event("two", k=1))
    await through_proxy.append_event(session, event("three"))
    assert proxy.faults == []
    assert len(session.events) == 3
    assert await reread(through_proxy, session) == session


@pytest.mark.parametrize("fault", FAULTS)
async def test_every_other_call_is_sent_again(
    through_proxy: AgentSessionService, proxy: Proxy, app: str, fault: Fault
) -> None:
    proxy.faults = [fault]
    session = await through_proxy.create_session(app_name=app, user_id="alice", state={"user:k": 1})
    proxy.faults = [fault]
    assert await reread(through_proxy, session) == session
    proxy.faults = [fault]
    assert len((await through_proxy.list_sessions(app_name=app, user_id="alice")).sessions) == 1
    proxy.faults = [fault]
    assert await through_proxy.get_user_state(app_name=app, user_id="alice") == {"k": 1}
    proxy.faults = [fault]
    await through_proxy.delete_session(app_name=app, user_id="alice", session_id=session.id)
    assert (await through_proxy.list_sessions(app_name=app, user_id="alice")).sessions == []


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_creation_with_an_id_is_sent_again(
    through_proxy: AgentSessionService, proxy: Proxy, app: str, fault: Fault
) -> None:
    proxy.faults = [fault, fault]
    session = await through_proxy.create_session(app_name=app, user_id="alice", session_id="s", state={"k": 1})
    assert await reread(through_proxy, session) == session
    proxy.faults = [fault, fault]
    fork = await through_proxy.fork(app_name=app, user_id="alice", session_id="s", new_session_id="f")
    assert (fork.id, fork.state) == ("f", {"k": 1})
    keys = [headers["idempotency-key"] for headers in proxy.headers if "idempotency-key" in headers]
    assert len(keys) == 6
    assert len(set(keys[:3])) == len(set(keys[3:])) == 1
    assert keys[0] != keys[3]
    for creation in (
        through_proxy.create_session(app_name=app, user_id="alice", session_id="s", state={"k": 1}),
        through_proxy.fork(app_name=app, user_id="alice", session_id="s", new_session_id="f"),
    ):
        with pytest.raises(AlreadyExistsError):
            await creation


async def test_a_run_creates_its_session_though_the_first_answer_is_lost(
    through_proxy: AgentSessionService, proxy: Proxy, app: str
) -> None:
    runner = Runner(app_name=app, agent=root_agent, session_service=through_proxy, auto_create_session=True)
    question = types.Content(role="user", parts=[types.Part(text="Question")])
    proxy.faults = [FORWARD, LOSE_ANSWER]  # the session is looked for, then created
    events = [event async for event in runner.run_async(user_id="alice", session_id="s", new_message=question)]
    assert proxy.faults == []
    assert [method for method, _ in proxy.requests[:3]] == ["GET", "POST", "POST"]
    stored = await through_proxy.get_session(app_name=app, user_id="alice", session_id="s")
    assert stored is not None
    assert [event.id for event in stored.events[1:]] == [event.id for event in events]


async def test_waits_as_long_as_the_service_asks(through_proxy: AgentSessionService, proxy: Proxy, app: str) -> None:
    proxy.faults = [503]
    begin = time.monotonic()
    await through_proxy.create_session(app_name=app, user_id="alice")
    assert time.monotonic() - begin >= 1


async def test_gives_up_in_time(proxy: Proxy, app: str) -> None:
    async with AgentSessionService(proxy.url, retry_for=0.5) as service:
        session = await service.create_session(app_name=app, user_id="alice")
        sent = event()
        for fault, text in ((503, "503"), (LOSE_ANSWER, "No answer")):
            proxy.faults = [fault] * 50
            with pytest.raises(AgentSessionsError, match=text):
                await service.append_event(session, sent)
            assert session.events == []
        proxy.faults = []
        # The last event is stored although its response was lost. A second append of the same event finds it.
        await service.append_event(session, sent)
        assert session.events == [sent]
        await service.append_event(session, event())
        assert await reread(service, session) == session


async def test_a_lost_answer_does_not_hide_what_others_appended(
    through_proxy: AgentSessionService, proxy: Proxy, service: AgentSessionService, app: str
) -> None:
    session = await through_proxy.create_session(app_name=app, user_id="alice")
    other = await reread(service, session)
    sent = event("mine")
    proxy.faults = [LOSE_ANSWER, 503]
    append = asyncio.create_task(through_proxy.append_event(session, sent))
    while not (await reread(service, other)).events:  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    await service.append_event(await reread(service, other), event("theirs"))
    await append
    assert session.events == [sent]
    with pytest.raises(StaleSessionError):
        await through_proxy.append_event(session, event())


async def test_an_event_that_was_appended_behind_others_does_not_hide_them(
    service: AgentSessionService, app: str
) -> None:
    session = await service.create_session(app_name=app, user_id="alice")
    other = await reread(service, session)
    sent = event("same event")
    await service.append_event(other, event("before"))
    await service.append_event(other, sent)
    await service.append_event(session, sent)
    with pytest.raises(StaleSessionError):
        await service.append_event(session, event())


async def test_the_key_or_the_token_of_the_user_is_sent(
    proxy: Proxy, app: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def token(app_name: str, user_id: str | None) -> str:
        return f"{app_name} {user_id}"

    monkeypatch.setenv("AGENT_SESSIONS_URL", proxy.url)
    monkeypatch.setenv("AGENT_SESSIONS_API_KEY", "key-of-environment")
    services = [
        AgentSessionService(),
        AgentSessionService(api_key="key-of-argument"),
        AgentSessionService(token=lambda app_name, user_id: f"{user_id}@{app_name}"),
        AgentSessionService(token=token),
    ]
    for service in services:
        await service.list_sessions(app_name=app, user_id="alice")
        await service.close()
    await services[-1].list_sessions(app_name=app)
    await services[-1].close()
    sent = [headers["authorization"] for headers in proxy.headers]
    expected = ["key-of-environment", "key-of-argument", f"alice@{app}", f"{app} alice", f"{app} none"]
    assert sent == [f"bearer {text}" for text in expected]


async def test_what_was_read_is_sent_as_a_precondition(
    through_proxy: AgentSessionService, proxy: Proxy, app: str
) -> None:
    session = await through_proxy.create_session(app_name=app, user_id="alice")
    await through_proxy.append_event(session, event())
    await through_proxy.append_event(session, event())
    session.last_update_time = 0.0
    await through_proxy.append_event(session, event())
    tags = [headers.get("if-match", "") for headers in proxy.headers]
    assert [tag.strip('"').partition(".")[0] for tag in tags] == ["", "0", "1", "2"]
