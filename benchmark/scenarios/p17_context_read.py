"""P17: what a model sees of a history costs what is read, not what is left out."""

from harness.compare import compare, row

EVENTS = 100_000
PATH = "/apps/p17/users/u0/sessions/s1"
CONTEXT, NEWEST = f"{PATH}?view=context", f"{PATH}?numRecentEvents=50"
# All events of the fixtures have one time
SUMMARY = {"startTimestamp": 1795248086, "endTimestamp": 1795248087,
           "compactedContent": {"role": "model", "parts": [{"text": "What was said so far"}]}}


def measure(bench):
    bench.sessions("p17", 1, events=EVENTS)
    bench.database.settle()
    bench.service.post(f"{PATH}/events", {"id": "summary", "author": "user", "actions": {"compaction": SUMMARY}})
    for number in range(49):
        bench.service.post(f"{PATH}/events", turn(number))
    check(bench)
    bench.reads(CONTEXT, bench.warm_up)
    context, newest = compare(lambda: bench.reads(CONTEXT), lambda: bench.reads(NEWEST), bench.rounds)
    bench.add(row("P17", "context read of 50 events out of 100,000 ÷ the newest 50, p50", [load.p50 for load in context],
                  [load.p50 for load in newest], "µs", at_most=3))


def turn(number):
    """A call of a function and its answer, in turn, as agents have most of."""
    part = {"id": f"call-{number // 2}", "name": "search"}
    kind = {"functionResponse": {**part, "response": {"text": "abcdefghi " * 10}}} if number % 2 else {
        "functionCall": {**part, "args": {"text": "abcdefghi " * 10}}}
    return {"id": f"e-{number}", "author": "agent", "timestamp": 1795248100 + number,
            "content": {"role": "model", "parts": [kind]}}


def check(bench):
    expected = ["summary"] + [f"e-{number}" for number in range(49)]
    for path in CONTEXT, NEWEST:
        if [event["id"] for event in bench.service.json(path)["events"]] != expected:
            raise AssertionError(f"{path}: other events")
