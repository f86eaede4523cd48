"""The shortest program that keeps the conversations of Pydantic AI in Agent Sessions."""

import asyncio

from pydantic_ai import Agent
from pydantic_ai.conversation import Conversation

from agent_sessions_pydantic import AgentSessionsStore


async def main() -> None:
    agent = Agent("openai:gpt-5.6-luna", instructions="Answer in one sentence.")
    async with AgentSessionsStore(app_name="guide", user_id="dave") as store:
        for question in ("My name is Ada.", "What is my name?"):
            conversation = await store.load("trip") or Conversation(conversation_id="trip")
            result = await agent.run(question, conversation=conversation)
            await store.save(result)
            print(result.output)


if __name__ == "__main__":
    asyncio.run(main())
