"""P11: from the start of the process until its first append is answered, on an existing database, in the image's way."""

import json
import os
import re
import shlex
import shutil
import subprocess
import time

from harness.compare import absolute
from harness.machine import Missing, java_version
from harness.service import Service


def measure(bench):
    if java_version(bench.java_home) < 25:
        raise Missing("a JDK 25, which keeps what it has loaded in a cache")
    app = f"{bench.folder}/app"
    java = f"{bench.java_home}/bin/java"
    with open("Dockerfile") as dockerfile:
        train, start = commands(dockerfile.read())
    jar = start[start.index("-jar") + 1]
    shutil.copytree(f"{os.path.dirname(bench.jar)}/lib", f"{app}/lib")
    shutil.copy(bench.jar, f"{app}/{jar}")
    run([java, *train[1:]], cwd=app)
    cached = times(bench, jar, start[1:start.index("-jar")], app)
    plain = times(bench, jar, [], app)
    bench.add(absolute("P11", "start to first append, with the AOT cache", [ready + first for ready, first in cached],
                       "s", at_most=2.5))
    bench.add(absolute("P11", "of it, from ready to first append", [first for _, first in cached], "s"))
    bench.add(absolute("P11", "start to first append, without the cache", [ready + first for ready, first in plain], "s"))


def commands(dockerfile):
    """How the image makes its cache, and how it starts."""
    train = re.search(r"^RUN (java -XX:AOTCacheOutput(?:.*\\\n)*.*)", dockerfile, re.MULTILINE)[1]
    start = re.search(r"^ENTRYPOINT (.*)", dockerfile, re.MULTILINE)[1]
    return shlex.split(train.replace("\\\n", "")), json.loads(start)


def run(command, **options):
    done = subprocess.run(command, capture_output=True, text=True, **options)
    if done.returncode != 0:
        raise RuntimeError(done.stdout + done.stderr)


def times(bench, jar, options, folder):
    return [time_to_start(Service(bench.java_home, jar, bench.database, bench.folder, options), folder)
            for _ in range(bench.rounds)]


def time_to_start(service, folder):
    """How many seconds it takes until it is ready, and from then on until a new session has its first event."""
    try:
        ready = service.start(folder)
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
