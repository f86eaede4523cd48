"""P18: a fork of a session with 10,000 events: of all of them, and of its state at an earlier moment."""

import json
import time
import urllib.request

from harness.compare import absolute

EVENTS = 10_000


def measure(bench):
    bench.sessions("p18", 1, events=EVENTS, characters=500)
    bench.database.settle()
    forks = Forks(bench)
    end = time.monotonic() + bench.warm_up
    while time.monotonic() < end:
        forks.whole()
    bench.add(absolute("P18", f"fork of a session of {EVENTS:,} events, all of them",
                       [forks.whole() for _ in range(bench.rounds)], "s", at_most=1))
    bench.add(absolute("P18", "the same up to the event before the last, state as of then",
                       [forks.past() for _ in range(bench.rounds)], "s", at_most=1))


class Forks:
    def __init__(self, bench):
        self.bench = bench
        self.url = f"{bench.service.url}/apps/p18/users/u0/sessions/"

    def whole(self):
        return self.fork({}, EVENTS)

    def past(self):
        return self.fork({"atSeq": EVENTS - 1}, EVENTS - 1)

    def fork(self, body, revision):
        """Seconds. The fork is counted and deleted."""
        begin = time.monotonic()
        fork = self.send("POST", "s1:fork?numRecentEvents=1", {**body, "sessionId": "fork"})
        seconds = time.monotonic() - begin
        last = self.bench.service.json("/apps/p18/users/u0/sessions/fork?numRecentEvents=1")["events"]
        if fork["forkedFrom"]["seq"] != revision or [event["id"] for event in last] != [f"e{revision}"]:
            raise AssertionError(f"not a fork of {revision} events")
        self.bench.check_histories("p18", fixed_times=False)
        self.send("DELETE", "fork")
        return seconds

    def send(self, method, path, body=None):
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(self.url + path, data, {"Content-Type": "application/json"}, method=method)
        with urllib.request.urlopen(request, timeout=60) as answer:
            text = answer.read()
        return json.loads(text) if text else None
