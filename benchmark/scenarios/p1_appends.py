"""P1: appends to 10,000 sessions over HTTP, against pgbench with one append a transaction."""

from statistics import median

from harness.compare import compare, row

SESSIONS = 10_000


def measure(bench):
    bench.sessions("p1", SESSIONS, users=1000)
    bench.database.sql(f"call fixtures.pgbench_sessions('pgbench', {SESSIONS})")
    bench.database.settle()
    http(bench, 64, bench.warm_up)
    for clients, at_least in ((16, 0.6), (64, 1.2)):
        service, pgbench = compare(lambda: with_costs(bench, http, clients), lambda: with_costs(bench, database, clients),
                                   bench.rounds)
        bench.add(row("P1", f"appends/s, {clients} clients: service ÷ pgbench", [load.rate for load, _ in service],
                      [load.rate for load, _ in pgbench], "/s", at_least=at_least))
        bench.costs += [costs(f"service, {clients} clients", service), costs(f"pgbench, {clients} clients", pgbench)]
    bench.check_histories("p1")
    bench.check_histories("pgbench")


def http(bench, clients, seconds=None):
    return bench.appends("p1", SESSIONS, users=1000, clients=clients, seconds=seconds)


def database(bench, clients):
    return bench.pgbench("pgbench", SESSIONS, clients)


def with_costs(bench, load, clients):
    """The load, and the microseconds of CPU of each process for one append."""
    before = bench.cpu_seconds()
    result = load(bench, clients)
    spent = [after - start for after, start in zip(bench.cpu_seconds(), before)] + [result.client_cpu]
    return result, [1e6 * seconds / result.done for seconds in spent]


def costs(name, measured):
    columns = [median(column) for column in zip(*(microseconds for _, microseconds in measured))]
    return f"| {name} | " + " | ".join(f"{value:.0f}" for value in [*columns, sum(columns)]) + " |"
