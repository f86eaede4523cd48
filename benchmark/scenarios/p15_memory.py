"""P15: the memory of the service and PostgreSQL together, at rest, while 64 clients append, and while histories are read."""

import subprocess
import threading
import time

from harness.compare import absolute

SESSIONS, CLIENTS, READERS, EVENTS, CHARACTERS = 10_000, 64, 8, 90_000, 1000


def measure(bench):
    bench.sessions("p15", SESSIONS, users=1000)
    bench.sessions("p15large", 1, events=EVENTS, characters=CHARACTERS)
    bench.database.settle()
    bench.service.stop()
    bench.database.restart()
    bench.service.start()
    moments = {"at rest, freshly started": rest(bench)}
    moments[f"{CLIENTS} clients append"] = highest(bench, lambda: appends(bench))
    moments[f"{READERS} clients read 100 MB each"] = highest(bench, lambda: read(bench))
    moments["at rest afterwards"] = rest(bench)
    bench.check_histories("p15")
    for moment, found in moments.items():
        bench.add(absolute("P15", f"memory (PSS) of service and PostgreSQL, {moment}", [sum(found)], "MB"))
    bench.table("P15: memory (PSS) in MB, shared_buffers "
                f"{bench.database.sql('show shared_buffers')}:", ["", "service", "PostgreSQL", "together"],
                [[moment, *(f"{part:.0f}" for part in (*found, sum(found)))] for moment, found in moments.items()])


def memory(bench):
    return bench.service.memory(), bench.database.memory()


def rest(bench):
    time.sleep(bench.seconds)
    return memory(bench)


def appends(bench):
    for _ in range(bench.rounds):
        bench.appends("p15", SESSIONS, users=1000, clients=CLIENTS)


def read(bench):
    """All read at the same time, one history after the other."""
    command = ["curl", "-s", "-f", "-o", "/dev/null", "-w", "%{size_download}",
               f"{bench.service.url}/apps/p15large/users/u0/sessions/s1"]
    end = time.monotonic() + bench.seconds * bench.rounds
    while time.monotonic() < end:
        readers = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(READERS)]
        sizes = [int(reader.communicate()[0]) for reader in readers]
        if min(sizes) < EVENTS * CHARACTERS:
            raise AssertionError(f"not everything was read: {sizes}")


def highest(bench, load):
    """The two parts at the moment when they were most together."""
    found, ended = [memory(bench)], threading.Event()

    def watch():
        while not ended.wait(0.2):
            found.append(memory(bench))

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        load()
    finally:
        ended.set()
        watcher.join()
    return max(found, key=sum)
