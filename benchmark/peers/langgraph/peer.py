"""LangGraph's checkpointer for PostgreSQL: some agents have turns for some seconds, each in a thread of its own.

A turn reads the newest checkpoint, and stores four more, each after the writes that lead to it, as LangGraph's loop does.
The state has the newest 20 messages: if it kept all, each checkpoint would store the whole conversation anew. Each agent has
a saver with a connection, because a saver does one thing at a time. Prints how many checkpoints were stored and in how many
seconds, and within how many microseconds half of the turns were done, and 99 in 100.
Arguments: database, turn, agents, seconds.
"""

import asyncio
import itertools
import sys
import time
import uuid
from contextlib import AsyncExitStack
from datetime import datetime, timezone

from langgraph.checkpoint.base.id import uuid6
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver

TEXT = "Hello there, this is the answer of the agent, of an ordinary length."
RECENT, APPENDS = 20, 4
# What LangGraph itself writes; readers look for more in the writes of older ones
FORMAT = 4
steps = itertools.count()


async def main(database, agents, seconds):
    async with AsyncExitStack() as stack:
        savers = [await stack.enter_async_context(AsyncPostgresSaver.from_conn_string(database)) for _ in range(agents)]
        await savers[0].setup()
        threads = list(enumerate(savers))
        for number, saver in threads:
            await begin(saver, f"t{number}")
        await run(threads, 1)
        started = time.monotonic()
        times = sorted(await run(threads, seconds))
        took = time.monotonic() - started
        print(len(times) * APPENDS, took, 1e6 * times[len(times) // 2], 1e6 * times[len(times) * 99 // 100])


async def begin(saver, thread):
    config = {"configurable": {"thread_id": thread, "checkpoint_ns": ""}}
    empty = {"v": FORMAT, "channel_values": {"messages": []}, "channel_versions": {}, "versions_seen": {}}
    await put(saver, config, empty, [message(next(steps)) for _ in range(RECENT)])


async def run(threads, seconds):
    end = time.monotonic() + seconds
    return sum(await asyncio.gather(*(agent(saver, f"t{number}", end) for number, saver in threads)), [])


async def agent(saver, thread, end):
    times = []
    while time.monotonic() < end:
        started = time.monotonic()
        await turn(saver, thread)
        times.append(time.monotonic() - started)
    return times


async def turn(saver, thread):
    found = await saver.aget_tuple({"configurable": {"thread_id": thread, "checkpoint_ns": ""}})
    config, checkpoint = found.config, found.checkpoint
    assert len(checkpoint["channel_values"]["messages"]) == RECENT
    for _ in range(APPENDS):
        messages = [message(next(steps))]
        await saver.aput_writes(config, [("messages", messages), ("step", messages[0]["step"])], str(uuid.uuid4()))
        config, checkpoint = await put(saver, config, checkpoint, messages)


async def put(saver, config, before, messages):
    """A checkpoint behind another one."""
    step = messages[-1]["step"]
    values = {"messages": [*before["channel_values"]["messages"], *messages][-RECENT:], "step": step}
    versions = {channel: saver.get_next_version(before["channel_versions"].get(channel), None) for channel in values}
    checkpoint = {"v": FORMAT, "id": str(uuid6()), "ts": datetime.now(timezone.utc).isoformat(),
                  "channel_values": values, "channel_versions": versions,
                  "versions_seen": {"agent": before["channel_versions"]}}
    return await saver.aput(config, checkpoint, {"source": "loop", "step": step, "parents": {}}, versions), checkpoint


def message(step):
    return {"id": str(uuid.uuid4()), "author": "agent", "invocationId": "inv-12", "timestamp": time.time(),
            "step": step, "content": {"role": "model", "parts": [{"text": TEXT}]}}


asyncio.run(main(sys.argv[1], int(sys.argv[3]), float(sys.argv[4])))
