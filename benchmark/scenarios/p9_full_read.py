"""P9: a history of 100 MB in one answer: the memory it takes, and its speed against psql copying the same rows out."""

import json
import re
import subprocess
from statistics import median

from harness.compare import absolute, compare, row

EVENTS, CHARACTERS = 90_000, 1000
PATH = "/apps/p9/users/u0/sessions/s1"
ROWS = "select body from events where session_key = (" \
    "select session_key from sessions where name_key = fixtures.key('p9', 'u0', 's1')) order by seq"


def measure(bench):
    bench.sessions("p9", 1, events=EVENTS, characters=CHARACTERS)
    bench.database.settle()
    size = bench.database.number(f"select sum(size) from ({ROWS.replace('body', 'size')}) t")
    log = f"{bench.folder}/gc.log"
    service = bench.replica(f"-Xlog:gc:file={log}")
    service.start()
    try:
        check(service)
        repeat(lambda: read(service), bench.warm_up)
        times = compare(lambda: repeat(lambda: read(service), bench.seconds),
                        lambda: repeat(lambda: copy(bench.database), bench.seconds), bench.rounds)
        bench.add(row("P9", f"full read of {size / 1e6:.0f} MB: service ÷ psql's \\copy",
                      *([size / 1e6 / seconds for seconds in side] for side in times), "MB/s", at_least=0.5))
        idle, lived, used = zip(*(heap(bench, service, log) for _ in range(bench.rounds)))
        bench.add(absolute("P9", f"full read of {size / 1e6:.0f} MB, heap above idle: highest after a collection",
                           [peak - start for peak, start in zip(lived, idle)], "MB", at_most=64))
        bench.add(absolute("P9", "the same with what was not yet collected",
                           [peak - start for peak, start in zip(used, idle)], "MB"))
    finally:
        service.stop()


def check(service):
    events = service.json(PATH)["events"]
    if [event["id"] for event in events] != [f"e{seq}" for seq in range(1, EVENTS + 1)]:
        raise AssertionError("not all events, or not in their order")


def repeat(once, seconds):
    """The median of as many times as fit."""
    times = [once()]
    while sum(times) < seconds:
        times.append(once())
    return median(times)


def read(service):
    """Seconds."""
    command = ["curl", "-s", "-f", "-o", "/dev/null", "-w", "%{json}", service.url + PATH]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    answer = json.loads(done.stdout)
    if answer["size_download"] < EVENTS * CHARACTERS:
        raise AssertionError(f"only {answer['size_download']} bytes")
    return answer["time_total"]


def copy(database):
    """Seconds, as psql measures them."""
    output = database.psql("-c", "\\timing on", "-c", f"\\copy ({ROWS}) to '/dev/null'")
    return float(re.search(r"Time: ([\d.]+) ms", output)[1]) / 1000


def heap(bench, service, log):
    """Megabytes: idle, the highest after a collection during a read, the highest before one."""
    jcmd = [f"{bench.java_home}/bin/jcmd", str(service.process.pid), "GC.run"]
    subprocess.run(jcmd, capture_output=True, check=True)
    before = collections(log)
    read(service)
    during = collections(log)[len(before):] or before[-1:]
    return before[-1][1], max(after for _, after in during), max(used for used, _ in during)


def collections(log):
    """Megabytes before and after each collection so far."""
    with open(log) as lines:
        return [(int(before), int(after)) for before, after in re.findall(r" (\d+)M->(\d+)M\(", lines.read())]
