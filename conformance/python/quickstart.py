"""The shortest agent whose sessions live in Agent Sessions."""

import asyncio
import os

from agentplatform import Client
from google.adk.events import Event, EventActions
from google.adk.sessions import VertexAiSessionService
from google.genai import types
from google.oauth2.credentials import Credentials

URL = os.environ.get("AGENT_SESSIONS_URL", "http://localhost:8080")
KEY = os.environ.get("AGENT_SESSIONS_API_KEY", "any-key")


class AgentSessions(VertexAiSessionService):
    def __init__(self):
        super().__init__(project="my-project", location="local")

    def _build_api_client(self):
        options = types.HttpOptions(base_url=URL)
        client = Client(project="my-project", location="local", credentials=Credentials(KEY), http_options=options)
        return client.aio

    def _get_reasoning_engine_id(self, app_name):
        return app_name  # each app has an engine of its own, whatever its name


async def main():
    sessions = AgentSessions()
    session = await sessions.create_session(app_name="travel", user_id="alice", state={"user:name": "Alice"})
    hello = types.Content(role="user", parts=[types.Part(text="Hello")])
    actions = EventActions(state_delta={"topic": "greeting"})
    event = Event(author="user", invocation_id="i-1", content=hello, actions=actions)
    await sessions.append_event(session, event)
    stored = await sessions.get_session(app_name="travel", user_id="alice", session_id=session.id)
    print(stored.state, stored.events[0].content.parts[0].text)


if __name__ == "__main__":
    asyncio.run(main())
