"""P25: processor time of the service for a request, against a servlet of the same Tomcat that does nothing.

An empty Spring Boot application shows how much of it the frameworks take that the service is built on.
"""

import os
import subprocess
import time
import urllib.request

from harness import machine
from harness.compare import row
from harness.load import wrk
from harness.service import MEMORY

SESSIONS, USERS, EVENTS = 10_000, 1000, 20
PATH = "/version"


class Peer:
    """A program of one file with libraries of the service. As much of a Service as a load needs."""

    def __init__(self, bench, program):
        self.port = machine.free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.program = program
        with open(f"{bench.folder}/{os.path.basename(program)}.log", "w") as log:
            self.process = subprocess.Popen(
                [f"{bench.java_home}/bin/java", *MEMORY, "-cp", f"{os.path.dirname(bench.jar)}/lib/*",
                 f"benchmark/peers/{program}", str(self.port), bench.folder], stdout=log, stderr=log)
        self.await_answer()

    def await_answer(self):
        for _ in range(1200):
            try:
                return urllib.request.urlopen(f"{self.url}{PATH}", timeout=10).close()
            except OSError:
                time.sleep(0.05)
        raise RuntimeError(f"{self.program} does not start")

    def cpu_seconds(self):
        return machine.cpu_seconds(self.process.pid)

    def stop(self):
        self.process.terminate()
        self.process.wait(60)


def measure(bench):
    bench.sessions("p25", SESSIONS, users=USERS, events=EVENTS)
    bench.database.settle()
    tomcat = Peer(bench, "tomcat/Bare.java")
    spring = Peer(bench, "spring/Plain.java")
    kinds = {
        "nothing (`/version`), 64 clients": (1.6, bench.service, nothing),
        f"a read of a session with {EVENTS} events, 64 clients": (3.3, bench.service, lambda service, seconds: wrk(
            service, "read", "p25", USERS, SESSIONS, clients=64, seconds=seconds)),
        "an append, 64 clients": (4, bench.service, lambda _, seconds: appends(bench, 64, seconds)),
        "an append, 16 clients": (4.8, bench.service, lambda _, seconds: appends(bench, 16, seconds)),
        "nothing in an empty Spring Boot application, 64 clients": (None, spring, nothing),
    }
    try:
        nothing(tomcat, bench.warm_up)
        for _, process, load in kinds.values():
            load(process, bench.warm_up)
        measured = {what: [] for what in kinds}
        for _ in range(bench.rounds):
            base = microseconds(tomcat, nothing, bench.seconds)
            for what, (_, process, load) in kinds.items():
                measured[what].append((microseconds(process, load, bench.seconds), base))
        for what, (at_most, *_) in kinds.items():
            first, second = zip(*measured[what])
            bench.add(row("P25", f"processor time of {what} ÷ a servlet of Tomcat", first, second, "µs", at_most=at_most))
    finally:
        tomcat.stop()
        spring.stop()
    bench.check_histories("p25", fixed_times=False)


def nothing(service, seconds):
    return wrk(service, "report", clients=64, seconds=seconds, path=PATH)


def appends(bench, clients, seconds):
    return bench.appends("p25", SESSIONS, users=USERS, clients=clients, seconds=seconds)


def microseconds(process, load, seconds):
    """Processor time of a process for one request, as user and in the system."""
    before = sum(process.cpu_seconds())
    done = load(process, seconds).done
    return 1e6 * (sum(process.cpu_seconds()) - before) / done
