"""ADK Python's memory services: everything that was said is added, then all questions are asked.

Arguments: inmemory, or sqlite and a file. Standard input: a JSON array of dialogues, {"user", "sessions": {id: [turn]},
"questions": [text]}, a turn being {"id", "agent", "text", "time"}. Standard output: for each dialogue and each question
the ids of the turns that were found, the best first.
"""

import asyncio
import json
import sys
from datetime import datetime

from google.adk.events import Event
from google.adk.memory import InMemoryMemoryService
from google.adk.sessions import Session
from google.genai import types

APP = "memory"


def service(kind, file=None):
    if kind == "inmemory":
        return InMemoryMemoryService()
    # Not before it is needed: it needs a package that the other service does not
    from google.adk.memory import SqliteMemoryService

    return SqliteMemoryService(file)


def event(turn):
    role = "model" if turn["agent"] else "user"
    return Event(id=turn["id"], author="agent" if turn["agent"] else "user", timestamp=turn["time"],
                 content=types.Content(role=role, parts=[types.Part(text=turn["text"])]))


async def main(arguments):
    dialogues = json.load(sys.stdin)
    memory = service(*arguments)
    for dialogue in dialogues:
        for session, turns in dialogue["sessions"].items():
            await memory.add_session_to_memory(Session(id=session, app_name=APP, user_id=dialogue["user"],
                                                       events=[event(turn) for turn in turns]))
    found = []
    for dialogue in dialogues:
        # A hit of the in-memory service has no id of its event, so its time, author and text tell which one it is
        ids = {key(turn["time"], turn["agent"], turn["text"]): turn["id"]
               for turns in dialogue["sessions"].values() for turn in turns}
        found.append([[ids[hit] for hit in await search(memory, dialogue["user"], question)]
                      for question in dialogue["questions"]])
    json.dump(found, sys.stdout)


async def search(memory, user, question):
    response = await memory.search_memory(app_name=APP, user_id=user, query=question)
    return [key(hit.timestamp, hit.author == "agent", hit.content.parts[0].text) for hit in response.memories]


def key(time, agent, text):
    """Services give times as texts, with or without a zone."""
    if isinstance(time, str):
        time = datetime.fromisoformat(time).timestamp()
    return round(time), agent, text


asyncio.run(main(sys.argv[1:]))
