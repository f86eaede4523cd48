"""The shortest program that keeps its sessions in Agent Sessions."""

import asyncio

from google.adk.events.event import Event
from google.adk.events.event_actions import EventActions

from agent_sessions_adk import AgentSessionService


async def main() -> None:
    async with AgentSessionService() as sessions:
        session = await sessions.create_session(app_name="travel", user_id="alice", state={"user:name": "Alice"})
        event = Event(author="user", invocation_id="i-1", actions=EventActions(state_delta={"topic": "Kyoto"}))
        await sessions.append_event(session, event)
        stored = await sessions.get_session(app_name="travel", user_id="alice", session_id=session.id)
        print(stored.state if stored else None)


if __name__ == "__main__":
    asyncio.run(main())
