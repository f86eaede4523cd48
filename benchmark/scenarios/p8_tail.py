"""P8: the slow answers, while independent clients send 70 % of what the service can take; and those of pgbench."""

from statistics import median

from harness.compare import row

SESSIONS, CLIENTS, FLOOR_CLIENTS, SHARE = 10_000, 256, 64, 0.7


def measure(bench):
    bench.sessions("p8", SESSIONS, users=1000)
    bench.database.settle()
    at_peak(bench, bench.warm_up)
    peak = median(at_peak(bench, bench.seconds).rate for _ in range(3))
    think = 1000 * CLIENTS / (SHARE * peak)
    loads = [appends(bench, clients=CLIENTS, delay=f"{think:.3f}") for _ in range(bench.rounds)]
    bench.check_histories("p8")
    bench.add(row("P8", f"append, p99 ÷ p50 at {median(load.rate for load in loads) / peak:.0%} of the peak rate of "
                  f"{peak:,.0f}/s, {CLIENTS} clients", [load.p99 for load in loads], [load.p50 for load in loads], "µs",
                  at_most=4))
    floor(bench)


def floor(bench):
    """What remains of it without the service."""
    bench.database.sql(f"call fixtures.pgbench_sessions('p8floor', {SESSIONS})")
    bench.database.settle()
    rate = SHARE * median(bench.pgbench("p8floor", SESSIONS, FLOOR_CLIENTS).rate for _ in range(3))
    loads = [bench.pgbench("p8floor", SESSIONS, FLOOR_CLIENTS, rate=rate) for _ in range(bench.rounds)]
    bench.check_histories("p8floor")
    bench.add(row("P8", f"the same of pgbench's one-append transactions, {FLOOR_CLIENTS} clients",
                  [load.p99 for load in loads], [load.p50 for load in loads], "µs"))


def at_peak(bench, seconds):
    return appends(bench, clients=64, seconds=seconds)


def appends(bench, **options):
    return bench.appends("p8", SESSIONS, users=1000, **options)
