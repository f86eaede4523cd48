"""P21: appends over HTTP to a database that was given (--database), Citus or not. Their sessions are deleted again."""

import time

from harness.compare import absolute
from harness.given import GivenDatabase
from harness.machine import Missing

ONLY_IF_NAMED = True
SESSIONS = 1000


def measure(bench):
    if not isinstance(bench.database, GivenDatabase):
        raise Missing("a database (--database)")
    app = f"benchmark-{int(time.time())}"
    sessions = f"/apps/{app}/users/u0/sessions"
    try:
        for number in range(1, SESSIONS + 1):
            bench.service.post(sessions, {"sessionId": f"s{number}"})
        bench.appends(app, SESSIONS, clients=64, seconds=bench.warm_up)
        for clients in 1, 16, 64:
            loads = [bench.appends(app, SESSIONS, clients=clients) for _ in range(bench.rounds)]
            what = f"{clients} client{'s' if clients > 1 else ''}, {SESSIONS:,} sessions, a database that was given"
            bench.add(absolute("P21", f"appends/s, {what}", [load.rate for load in loads], "/s"))
            bench.add(absolute("P21", f"append, p99, {what}", [load.p99 / 1000 for load in loads], "ms"))
        bench.check_histories(app)
    finally:
        for number in range(1, SESSIONS + 1):
            bench.service.delete(f"{sessions}/s{number}")
