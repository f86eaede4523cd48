"""P4: a page of 50 sessions costs the same, however many the user has and however deep in the list it is."""

import json

from harness.compare import compare, row

MANY, FEW, PAGE = 100_000, 100, 50


def measure(bench):
    bench.sessions("p4many", MANY)
    bench.sessions("p4few", FEW)
    for app in ("p4many", "p4few"):
        bench.database.sql(f"call fixtures.state('{app}', 3, 20)")
    bench.database.settle()
    last = walk(bench)
    bench.reads(path("p4many"), bench.warm_up)
    pair(bench, f"{MANY:,} sessions of one user ÷ {FEW}", path("p4many"), path("p4few"))
    pair(bench, f"last page of {MANY:,} sessions ÷ first", path("p4many", last), path("p4many"))


def pair(bench, what, first, second):
    slow, fast = compare(lambda: bench.reads(first).p50, lambda: bench.reads(second).p50, bench.rounds)
    bench.add(row("P4", f"page of {PAGE} sessions, p50: {what}", slow, fast, "µs", at_most=1.3))


def walk(bench):
    """Turns all pages, which have to show every session once and in order; answers the token of the last page."""
    seen, token = 0, None
    while True:
        with bench.service.get(path("p4many", token)) as answer:
            following = answer.headers["X-Next-Page-Token"]
            sessions = json.load(answer)
        if [session["id"] for session in sessions] != [f"s{n}" for n in range(seen + 1, seen + len(sessions) + 1)]:
            raise AssertionError(f"not the sessions after s{seen}")
        seen += len(sessions)
        if not following:
            break
        token = following
    if seen != MANY or len(sessions) != PAGE:
        raise AssertionError(f"{seen} sessions in the list, {len(sessions)} on the last page")
    return token


def path(app, token=None):
    return f"/apps/{app}/users/u0/sessions?limit={PAGE}" + (f"&pageToken={token}" if token else "")
