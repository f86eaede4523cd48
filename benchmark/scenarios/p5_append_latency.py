"""P5: one append after the other costs the same, however long the history and however large the rest of the state."""

from harness.compare import compare, row

SESSIONS = 20


def measure(bench):
    bench.sessions("p5long", SESSIONS, events=10_000)
    for app, keys in (("p5large", 1000), ("p5small", 1)):
        bench.sessions(app, SESSIONS)
        bench.database.sql(f"call fixtures.state('{app}', {keys}, 1024)")
    bench.sessions("p5warm", SESSIONS)
    bench.database.settle()
    bench.appends("p5warm", SESSIONS, seconds=bench.warm_up)
    empty = (f"p5empty{turn}" for turn in range(bench.rounds))
    pair(bench, "history of 10,000 events ÷ empty", lambda: "p5long", lambda: fresh(bench, next(empty)), 1.1)
    pair(bench, "1 MB of other state ÷ 1 KB", lambda: "p5large", lambda: "p5small", 1.2)
    for app in ("p5large", "p5small"):
        check_state(bench, app)


def pair(bench, what, first, second, at_most):
    slow, fast = compare(lambda: latency(bench, first()), lambda: latency(bench, second()), bench.rounds)
    bench.add(row("P5", f"append, one client, p50: {what}", slow, fast, "µs", at_most=at_most))


def fresh(bench, app):
    bench.sessions(app, SESSIONS)
    return app


def latency(bench, app):
    p50 = bench.appends(app, SESSIONS).p50
    bench.check_histories(app, fixed_times=app != "p5long")
    return p50


def check_state(bench, app):
    keys = {"p5large": 1000, "p5small": 1}[app]
    state = bench.service.json(f"/apps/{app}/users/u0/sessions/s1?numRecentEvents=0")["state"]
    if len(state) != keys + 1 or state["key1"] != "x" * 1024:
        raise AssertionError(f"{app}: not the state that was there before the appends")
