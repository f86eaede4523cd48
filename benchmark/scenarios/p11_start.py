"""P11: from the start of the process until its first append is answered, on an existing database, in the image's way."""

import time

from harness.compare import absolute
from harness.machine import Missing, java_version
from harness.package import with_cache
from harness.service import Service


def measure(bench):
    if java_version(bench.java_home) < 25:
        raise Missing("a JDK 25, which keeps what it has loaded in a cache")
    jar, cache = with_cache(bench)
    cached = times(bench, jar, cache)
    plain = times(bench, jar, [])
    bench.add(absolute("P11", "start to first append, with the AOT cache", [ready + first for ready, first in cached],
                       "s", at_most=2.5))
    bench.add(absolute("P11", "of it, from ready to first append", [first for _, first in cached], "s"))
    bench.add(absolute("P11", "start to first append, without the cache", [ready + first for ready, first in plain], "s"))


def times(bench, jar, options):
    return [time_to_start(Service(bench.java_home, jar, bench.database, bench.folder, options)) for _ in range(bench.rounds)]


def time_to_start(service):
    """How many seconds it takes until it is ready, and from then on until a new session has its first event."""
    try:
        ready = service.start()
        begin = time.monotonic()
        session = service.post("/apps/start/users/u/sessions", {})["id"]
        path = f"/apps/start/users/u/sessions/{session}"
        service.post(f"{path}/events", {"author": "user", "content": {"role": "user", "parts": [{"text": "Hello"}]}})
        first = time.monotonic() - begin
        if len(service.json(path)["events"]) != 1:
            raise RuntimeError("The first append was lost")
        return ready, first
    finally:
        service.stop()
