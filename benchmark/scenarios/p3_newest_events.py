"""P3: a session with its last 50 events costs the same, however long its history is."""

from harness.compare import compare, row


def measure(bench):
    bench.sessions("p3long", 1, events=100_000)
    bench.sessions("p3short", 1, events=100)
    bench.database.settle()
    check(bench, "p3long", 100_000)
    check(bench, "p3short", 100)
    bench.reads(path("p3long"), bench.warm_up)
    long, short = compare(lambda: bench.reads(path("p3long")), lambda: bench.reads(path("p3short")), bench.rounds)
    bench.add(row("P3", "session with its last 50 events, p50: history of 100,000 ÷ of 100", [load.p50 for load in long],
                  [load.p50 for load in short], "µs", at_most=1.2))


def check(bench, app, revision):
    session = bench.service.json(path(app))
    expected = [f"e{seq}" for seq in range(revision - 49, revision + 1)]
    if [event["id"] for event in session["events"]] != expected:
        raise AssertionError(f"{app}: not the last 50 events")


def path(app):
    return f"/apps/{app}/users/u0/sessions/s1?numRecentEvents=50"
