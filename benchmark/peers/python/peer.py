"""ADK Python's DatabaseSessionService: some writers append for some seconds, each to a session of its own.

Prints how many events were stored and in how many seconds. Arguments: database, writers, seconds.
"""

import asyncio
import sys
import time

from google.adk.events import Event, EventActions
from google.adk.sessions import DatabaseSessionService
from google.genai import types

TEXT = "Hello there, this is the answer of the agent, of an ordinary length."


async def main(database, writers, seconds):
    service = DatabaseSessionService(database, pool_size=writers)
    sessions = [await service.create_session(app_name="peer", user_id=f"u{n}", session_id=f"s{n}")
                for n in range(writers)]
    await write(service, sessions, 1)
    begin = time.monotonic()
    stored = await write(service, sessions, seconds)
    print(stored, time.monotonic() - begin)


async def write(service, sessions, seconds):
    end = time.monotonic() + seconds
    return sum(await asyncio.gather(*(writer(service, session, end) for session in sessions)))


async def writer(service, session, end):
    stored = 0
    while time.monotonic() < end:
        await service.append_event(session, Event(
            author="agent", invocation_id="inv-12", actions=EventActions(state_delta={"step": stored}),
            content=types.Content(role="model", parts=[types.Part(text=TEXT)])))
        stored += 1
    return stored


asyncio.run(main(sys.argv[1], int(sys.argv[2]), float(sys.argv[3])))
