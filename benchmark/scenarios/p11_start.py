"""P11: from the start of the process until it is ready, on an existing database, in the image's way."""

import json
import re
import shlex
import subprocess

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
    run([java, "-Djarmode=tools", "-jar", bench.jar, "extract", "--destination", app])
    jar = start[start.index("-jar") + 1]
    run(["mv", "-n", f"{app}/{bench.jar.split('/')[-1]}", f"{app}/{jar}"])
    run([java, *train[1:]], cwd=app)
    bench.add(absolute("P11", "start to ready, with the AOT cache", times(bench, jar, start[1:start.index("-jar")], app),
                       "s", at_most=2.5))
    bench.add(absolute("P11", "the same without the cache", times(bench, jar, [], app), "s"))


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
    try:
        return service.start(folder)
    finally:
        service.stop()
