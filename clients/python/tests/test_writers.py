"""Tests several writers on one session: no append is lost, and a stale writer gets an error."""

import asyncio
import copy
import pickle

import pytest
from google.adk.sessions.session import Session
from proxy import LOSE_ANSWER, LOSE_REQUEST, Proxy, forward_to
from test_contract import event, reread

from agent_sessions_adk import AgentSessionService, StaleSessionError


async def test_the_second_of_two_writers_is_told_and_can_repair_it(url: str, app: str) -> None:
    async with AgentSessionService(url) as one, AgentSessionService(url) as two:
        first = await one.create_session(app_name=app, user_id="alice")
        second = await reread(two, first)
        await one.append_event(first, event("from the first", k=1))
        late = event("from the second", k=2)
        with pytest.raises(StaleSessionError):
            await two.append_event(second, late)
        assert (second.events, second.state) == ([], {})

        second = await reread(two, second)
        assert second.state == {"k": 1}
        await two.append_event(second, late)

        with pytest.raises(StaleSessionError):
            await one.append_event(first, event())
        stored = await reread(one, first)
        assert stored == second
        assert len(stored.events) == 2


async def test_many_writers_open_no_more_connections_than_there_are_writers(url: str, app: str) -> None:
    opened: list[float] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        opened.append(asyncio.get_running_loop().time())
        await forward_to(url)(reader, writer)

    async def write(service: AgentSessionService) -> None:
        session = await service.create_session(app_name=app, user_id="alice")
        for _ in range(10):
            await service.append_event(session, event())

    server = await asyncio.start_server(serve, "127.0.0.1")
    async with AgentSessionService(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}") as service:
        await asyncio.gather(*(write(service) for _ in range(60)))
    server.close()
    # The client closes a connection that nobody has used for 30 seconds, as happens on a machine that is too slow
    assert len([time for time in opened if time < opened[0] + 30]) <= 60


def test_adk_knows_the_stale_error() -> None:
    assert issubclass(StaleSessionError, ValueError)
    errors = pytest.importorskip("google.adk.errors")
    assert getattr(errors, "StaleSessionError", StaleSessionError) is StaleSessionError


async def test_the_check_can_be_switched_off(url: str, app: str) -> None:
    async with AgentSessionService(url, optimistic_locking=False) as service:
        first = await service.create_session(app_name=app, user_id="alice")
        second = await reread(service, first)
        await service.append_event(first, event(a=1))
        await service.append_event(second, event(b=2))
        await service.append_event(first, event(a=3))
        stored = await reread(service, first)
        assert (len(stored.events), stored.state) == (3, {"a": 3, "b": 2})


async def test_copies_know_what_they_have_read(service: AgentSessionService, app: str) -> None:
    session = await service.create_session(app_name=app, user_id="alice")
    copies = [copy.copy(session), copy.deepcopy(session), session.model_copy(), pickle.loads(pickle.dumps(session))]
    await service.append_event(session, event())
    for one in copies:
        with pytest.raises(StaleSessionError):
            await service.append_event(one, event())


async def test_sessions_of_a_list_and_of_another_process_know_what_was_read(
    service: AgentSessionService, url: str, app: str
) -> None:
    session = await service.create_session(app_name=app, user_id="alice")

    async def copies() -> list[Session]:
        async with AgentSessionService(url) as elsewhere:
            return [
                Session.model_validate_json((await reread(service, session)).model_dump_json()),
                Session(**(await reread(service, session)).model_dump()),
                (await service.list_sessions(app_name=app, user_id="alice")).sessions[0],
                await reread(elsewhere, session),
            ]

    stale = await copies()
    await service.append_event(session, event())
    for one in stale:
        with pytest.raises(StaleSessionError):
            await service.append_event(one, event())
    for number in range(len(stale)):
        fresh = (await copies())[number]
        await service.append_event(fresh, event())
        await service.append_event(fresh, event())


@pytest.mark.parametrize("fault", [LOSE_ANSWER, LOSE_REQUEST])
async def test_a_cancelled_append_leaves_an_object_that_is_not_sure(
    through_proxy: AgentSessionService, proxy: Proxy, service: AgentSessionService, app: str, fault: str
) -> None:
    session = await through_proxy.create_session(app_name=app, user_id="alice")
    sent = event("cancelled", k=1)
    proxy.faults = [fault] * 100
    append = asyncio.create_task(through_proxy.append_event(session, sent))
    while len(proxy.requests) < 2:  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    append.cancel()
    with pytest.raises(asyncio.CancelledError):
        await append
    proxy.faults = []

    for one in (session, session.model_copy(deep=True)):
        with pytest.raises(StaleSessionError, match="was cancelled"):
            await through_proxy.append_event(one, event("next"))
    await through_proxy.append_event(session, sent)  # finds the stored event, and does not store it twice
    await through_proxy.append_event(session, event("next"))
    assert [item.id for item in session.events][:1] == [sent.id]
    assert await reread(service, session) == session


async def test_a_session_made_by_hand_is_appended_to(service: AgentSessionService, app: str) -> None:
    session = await service.create_session(app_name=app, user_id="alice")
    by_hand = Session(app_name=app, user_id="alice", id=session.id)
    await service.append_event(by_hand, event())
    await service.append_event(by_hand, event())
    assert len((await reread(service, session)).events) == 2


async def test_tasks_that_share_an_object_take_turns(service: AgentSessionService, app: str) -> None:
    session = await service.create_session(app_name=app, user_id="alice")
    await asyncio.gather(*[service.append_event(session, event(str(n), **{f"k{n}": n})) for n in range(40)])
    assert len(session.events) == 40
    assert await reread(service, session) == session
    assert service._turns == {}


async def test_two_writers_that_repair_lose_nothing(url: str, app: str) -> None:
    async with AgentSessionService(url) as one, AgentSessionService(url) as two:
        session = await one.create_session(app_name=app, user_id="alice", state={"count": 0})

        async def count(service: AgentSessionService) -> None:
            for _ in range(15):
                while True:
                    read = await reread(service, session)
                    try:
                        await service.append_event(read, event(count=read.state["count"] + 1))
                        break
                    except StaleSessionError:
                        pass

        await asyncio.gather(count(one), count(two))
        stored = await reread(one, session)
        assert (stored.state["count"], len(stored.events)) == (30, 30)


async def test_a_session_that_was_created_again_is_another_one(service: AgentSessionService, app: str) -> None:
    old = await service.create_session(app_name=app, user_id="alice", session_id="s")
    await service.append_event(old, event())
    await service.delete_session(app_name=app, user_id="alice", session_id="s")
    new = await service.create_session(app_name=app, user_id="alice", session_id="s")
    with pytest.raises(StaleSessionError):
        await service.append_event(old, event())
    assert await reread(service, new) == new
