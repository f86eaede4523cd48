"""The shortest program that keeps the transcripts of Claude's agents in Agent Sessions."""

import asyncio

from claude_agent_sdk import ClaudeAgentOptions, ResultMessage, query

from agent_sessions_claude import AgentSessionStore


async def main() -> None:
    async with AgentSessionStore(app_name="coder", user_id="alice") as store:
        for prompt in ("My name is Ada.", "What is my name?"):
            options = ClaudeAgentOptions(session_store=store, continue_conversation=prompt.startswith("What"))
            async for message in query(prompt=prompt, options=options):
                if isinstance(message, ResultMessage):
                    print(message.result)


if __name__ == "__main__":
    asyncio.run(main())
