"""The shortest program that keeps the sessions of OpenAI's agents in Agent Sessions."""

import asyncio

from agents import Agent, Runner

from agent_sessions_openai import AgentSession


async def main() -> None:
    agent = Agent(name="guide", instructions="Answer in one sentence.")
    async with AgentSession("trip", app_name="guide", user_id="alice") as session:
        for question in ("My name is Ada.", "What is my name?"):
            result = await Runner.run(agent, question, session=session)
            print(result.final_output)


if __name__ == "__main__":
    asyncio.run(main())
