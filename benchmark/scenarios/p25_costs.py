"""P25: processor time of the service for a request, against a servlet of the same Tomcat that does nothing."""

import glob
import os
import subprocess
import time
import urllib.request

from harness import machine
from harness.compare import row
from harness.load import wrk
from harness.service import MEMORY

SESSIONS, USERS, EVENTS = 10_000, 1000, 20


class Tomcat:
    """As much of a Service as a load needs."""

    def __init__(self, bench):
        self.port = machine.free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        libraries = ":".join(glob.glob(f"{os.path.dirname(bench.jar)}/lib/tomcat-embed-core-*.jar")
                             + glob.glob(f"{os.path.dirname(bench.jar)}/lib/*annotation-api-*.jar"))
        with open(f"{bench.folder}/tomcat.log", "w") as log:
            self.process = subprocess.Popen(
                [f"{bench.java_home}/bin/java", *MEMORY, "-cp", libraries, "benchmark/peers/tomcat/Bare.java",
                 str(self.port), bench.folder], stdout=log, stderr=log)
        self.await_answer()

    def await_answer(self):
        for _ in range(1200):
            try:
                return urllib.request.urlopen(self.url, timeout=10).close()
            except OSError:
                time.sleep(0.05)
        raise RuntimeError("Tomcat does not start")

    def cpu_seconds(self):
        return machine.cpu_seconds(self.process.pid)

    def stop(self):
        self.process.terminate()
        self.process.wait(60)


def measure(bench):
    bench.sessions("p25", SESSIONS, users=USERS, events=EVENTS)
    bench.database.settle()
    tomcat = Tomcat(bench)
    kinds = {
        "nothing (`/version`), 64 clients": (1.6, lambda seconds: wrk(
            bench.service, "report", clients=64, seconds=seconds, path="/version")),
        f"a read of a session with {EVENTS} events, 64 clients": (3.3, lambda seconds: wrk(
            bench.service, "read", "p25", USERS, SESSIONS, clients=64, seconds=seconds)),
        "an append, 64 clients": (4, lambda seconds: appends(bench, 64, seconds)),
        "an append, 16 clients": (4.8, lambda seconds: appends(bench, 16, seconds)),
    }

    def bare(seconds):
        return wrk(tomcat, "report", clients=64, seconds=seconds)

    try:
        for load in bare, *(load for _, load in kinds.values()):
            load(bench.warm_up)
        measured = {what: [] for what in kinds}
        for _ in range(bench.rounds):
            base = microseconds(tomcat, bare, bench.seconds)
            for what, (_, load) in kinds.items():
                measured[what].append((microseconds(bench.service, load, bench.seconds), base))
        for what, (at_most, _) in kinds.items():
            first, second = zip(*measured[what])
            bench.add(row("P25", f"processor time of {what} ÷ a servlet of Tomcat", first, second, "µs", at_most=at_most))
    finally:
        tomcat.stop()
    bench.check_histories("p25", fixed_times=False)


def appends(bench, clients, seconds):
    return bench.appends("p25", SESSIONS, users=USERS, clients=clients, seconds=seconds)


def microseconds(process, load, seconds):
    """Processor time of a process for one request, as user and in the system."""
    before = sum(process.cpu_seconds())
    done = load(seconds).done
    return 1e6 * (sum(process.cpu_seconds()) - before) / done
