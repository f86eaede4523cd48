"""P6: 20 writers without precondition on one session; every append is kept, in an order without gaps."""

from harness.compare import absolute

WRITERS = 20


def measure(bench):
    bench.sessions("p6", 1)
    bench.database.settle()
    bench.appends("p6", 1, clients=WRITERS, seconds=bench.warm_up)
    rates = [bench.appends("p6", 1, clients=WRITERS).rate for _ in range(bench.rounds)]
    bench.check_histories("p6")
    bench.add(absolute("P6", f"one session, {WRITERS} writers: appends/s, none lost", rates, "/s", at_least=2000))
