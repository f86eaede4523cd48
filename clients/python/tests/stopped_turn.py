"""A turn in a separate process, which test_turns.py stops."""

import asyncio
import sys

from google.adk.agents import LlmAgent
from google.adk.sessions.session import Session
from test_turns import run, runner, scripted

from agent_sessions_adk import AgentSessionService


async def think() -> str:
    print("thinking", flush=True)
    await asyncio.sleep(8)
    return "Stopped."


async def main(app: str) -> None:
    async with AgentSessionService() as service:
        agent = runner(service, app, LlmAgent(name="agent", model=scripted(think)), ttl=6)
        try:
            await run(agent, Session(app_name=app, user_id="alice", id="s"))
        except Exception as error:
            print(f"{type(error).__name__}: {error}", flush=True)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
