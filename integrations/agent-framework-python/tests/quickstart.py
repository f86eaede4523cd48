"""The shortest program that keeps the history of Microsoft Agent Framework's agents in Agent Sessions."""

import asyncio

from agent_framework import Agent
from agent_framework.openai import OpenAIChatClient

from agent_sessions_agent_framework import AgentHistoryProvider


async def main() -> None:
    async with AgentHistoryProvider(app_name="guide", user_id="carol") as history:
        agent = Agent(OpenAIChatClient(), "Answer in one sentence.", context_providers=[history])
        session = agent.create_session(session_id="trip")
        for question in ("My name is Ada.", "What is my name?"):
            print(await agent.run(question, session=session))


if __name__ == "__main__":
    asyncio.run(main())
