"""Calls methods of a session, and prints what they return: python.py APP SESSION CALLS."""

import asyncio
import json
import sys

from agent_sessions_openai import AgentSession


async def main(app: str, session_id: str, calls: str) -> None:
    async with AgentSession(session_id, app_name=app, user_id="alice") as session:
        results = [await getattr(session, method)(*values) for method, *values in json.loads(calls)]
        print(json.dumps(results))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
