"""ADK Python's DatabaseSessionService: some writers append, or have turns, for some seconds, each in its own session.

A turn reads the newest 20 events and appends four. Prints how many events were stored and in how many seconds, and within
how many microseconds half of the appends or turns were done, and 99 in 100.
Arguments: database, append or turn, writers, seconds.
"""

import asyncio
import itertools
import sys
import time

from google.adk.events import Event, EventActions
from google.adk.sessions import DatabaseSessionService
from google.adk.sessions.base_session_service import GetSessionConfig
from google.genai import types

TEXT = "Hello there, this is the answer of the agent, of an ordinary length."
RECENT, APPENDS = 20, {"append": 1, "turn": 4}
steps = itertools.count()


async def main(database, kind, writers, seconds):
    service = DatabaseSessionService(database, pool_size=writers)
    sessions = [await service.create_session(app_name="peer", user_id=f"u{n}", session_id=f"s{n}")
                for n in range(writers)]
    if kind == "turn":
        await asyncio.gather(*(append(service, session, RECENT) for session in sessions))
    await write(service, kind, sessions, 1)
    begin = time.monotonic()
    times = sorted(await write(service, kind, sessions, seconds))
    took = time.monotonic() - begin
    print(len(times) * APPENDS[kind], took, 1e6 * times[len(times) // 2], 1e6 * times[len(times) * 99 // 100])


async def write(service, kind, sessions, seconds):
    end = time.monotonic() + seconds
    return sum(await asyncio.gather(*(writer(service, kind, session, end) for session in sessions)), [])


async def writer(service, kind, session, end):
    times = []
    while time.monotonic() < end:
        begin = time.monotonic()
        if kind == "turn":
            session = await read(service, session)
        await append(service, session, APPENDS[kind])
        times.append(time.monotonic() - begin)
    return times


async def read(service, session):
    found = await service.get_session(app_name=session.app_name, user_id=session.user_id, session_id=session.id,
                                      config=GetSessionConfig(num_recent_events=RECENT))
    assert len(found.events) == RECENT
    return found


async def append(service, session, events):
    for _ in range(events):
        await service.append_event(session, Event(
            author="agent", invocation_id="inv-12", actions=EventActions(state_delta={"step": next(steps)}),
            content=types.Content(role="model", parts=[types.Part(text=TEXT)])))


asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4])))
