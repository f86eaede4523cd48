"""P24: the first five seconds of appends after a start, against the same a minute later, with the JVM's cache and without."""

from harness.compare import absolute, row
from harness.machine import Missing, java_version
from harness.package import with_cache
from harness.service import Service

SESSIONS, USERS, CLIENTS, FIRST = 10_000, 1000, 16, 5


def measure(bench):
    if java_version(bench.java_home) < 25:
        raise Missing("a JDK 25, which keeps what it has loaded in a cache")
    bench.sessions("p24", SESSIONS, users=USERS)
    bench.database.settle()
    jar, cache = with_cache(bench)
    runs = {"with the cache": [], "without": []}
    for _ in range(bench.rounds):
        runs["with the cache"].append(start(bench, jar, cache))
        runs["without"].append(start(bench, jar, []))
    for how, measured in runs.items():
        ready, first, warm = zip(*measured)
        targets = ({"at_least": 0.5}, {"at_most": 2.5}) if how != "without" else ({}, {"at_most": 6})
        bench.add(row("P24", f"appends/s, {CLIENTS} clients, {how}: first {FIRST} s ÷ after {bench.warm_up} s",
                      [load.rate for load in first], [load.rate for load in warm], "/s", **targets[0]))
        bench.add(row("P24", f"the same, p99, {how}", [load.p99 / 1000 for load in first],
                      [load.p99 / 1000 for load in warm], "ms"))
        bench.add(absolute("P24", f"start until ready, {how}", ready, "s", **targets[1]))
    bench.check_histories("p24")


def start(bench, jar, options):
    """Seconds until ready, and the loads of the first seconds and of as many warm ones."""
    service = Service(bench.java_home, jar, bench.database, bench.folder, options)
    try:
        ready = service.start()
        first, _, warm = (bench.appends("p24", SESSIONS, users=USERS, clients=CLIENTS, seconds=seconds, service=service,
                                        prepare=lambda: None) for seconds in (FIRST, bench.warm_up, FIRST))
        return ready, first, warm
    finally:
        service.stop()
