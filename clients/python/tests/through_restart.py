"""Appends to one session until a file appears, while the service restarts: checks that no event is lost or doubled.

Usage: through_restart.py FILE
"""

import asyncio
import sys
import uuid
from pathlib import Path

from google.adk.events.event import Event
from google.adk.events.event_actions import EventActions

from agent_sessions_adk import AgentSessionService


async def main(end: Path) -> bool:
    async with AgentSessionService(retry_for=300, unavailable_timeout=300) as service:
        session = await service.create_session(app_name=f"restart-{uuid.uuid4()}", user_id="alice")
        while not end.exists():  # noqa: ASYNC240
            number = len(session.events)
            event = Event(author="agent", invocation_id=f"i-{number}", actions=EventActions(state_delta={"n": number}))
            await service.append_event(session, event)
            if number == 0:
                print("appending", flush=True)
            await asyncio.sleep(0.1)
        stored = await service.get_session(app_name=session.app_name, user_id="alice", session_id=session.id)
        print(f"through a restart: {len(session.events)} events appended, the same are stored: {stored == session}")
        return stored == session


if __name__ == "__main__":
    sys.exit(0 if asyncio.run(main(Path(sys.argv[1]))) else 1)
