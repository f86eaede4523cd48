"""The shortest agent whose sessions live in Agent Sessions."""

import asyncio
import os

from google.adk.events import Event, EventActions
from google.adk.sessions import VertexAiSessionService
from google.genai import types

URL = os.environ.get("AGENT_SESSIONS_URL", "http://localhost:8080")


class AgentSessions(VertexAiSessionService):
    def _api_client_http_options_override(self):
        return types.HttpOptions(base_url=URL)


async def main():
    sessions = AgentSessions(project="my-project", location="local", agent_engine_id="1234567890")
    session = await sessions.create_session(app_name="1234567890", user_id="alice", state={"user:name": "Alice"})
    hello = types.Content(role="user", parts=[types.Part(text="Hello")])
    actions = EventActions(state_delta={"topic": "greeting"})
    event = Event(author="user", invocation_id="i-1", content=hello, actions=actions)
    await sessions.append_event(session, event)
    stored = await sessions.get_session(app_name="1234567890", user_id="alice", session_id=session.id)
    print(stored.state, stored.events[0].content.parts[0].text)


if __name__ == "__main__":
    asyncio.run(main())
