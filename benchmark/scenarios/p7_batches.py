"""P7: events in batches of 100, against one append a request, by as many clients."""

from harness.compare import compare, row

SESSIONS, CLIENTS = 1000, 16


def measure(bench):
    for app in ("p7batches", "p7singles"):
        bench.sessions(app, SESSIONS)
    bench.database.settle()
    batches(bench, bench.warm_up // 2 or 1)
    singles(bench, bench.warm_up // 2 or 1)
    hundreds, ones = compare(lambda: batches(bench), lambda: singles(bench), bench.rounds)
    for app in ("p7batches", "p7singles"):
        bench.check_histories(app)
    bench.add(row("P7", f"events/s, {CLIENTS} clients: batches of 100 ÷ singles", [load.rate for load in hundreds],
                  [load.rate for load in ones], "/s", at_least=8))


def batches(bench, seconds=None):
    return bench.appends("p7batches", SESSIONS, clients=CLIENTS, seconds=seconds, script="batch", each=100)


def singles(bench, seconds=None):
    return bench.appends("p7singles", SESSIONS, clients=CLIENTS, seconds=seconds)
