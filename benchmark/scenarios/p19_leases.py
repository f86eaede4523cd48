"""P19: appends under the lease of their session, against appends to sessions without one."""

from harness.compare import compare, row

SESSIONS = 10_000


def measure(bench):
    for app in ("p19leased", "p19free"):
        bench.sessions(app, SESSIONS, users=1000)
    bench.database.sql("call fixtures.leases('p19leased')")
    bench.database.settle()
    check(bench)
    free(bench, 64, bench.warm_up)
    for clients in (1, 64):
        with_lease, without = compare(lambda: leased(bench, clients), lambda: free(bench, clients), bench.rounds)
        bench.add(row("P19", f"appends/s, {clients} {'client' if clients == 1 else 'clients'}: with a lease ÷ without",
                      [load.rate for load in with_lease], [load.rate for load in without], "/s", at_least=0.95))
    for app in ("p19leased", "p19free"):
        bench.check_histories(app)


def check(bench):
    """The leases are held: without its number nobody appends."""
    held = bench.database.number("select count(*) from sessions where lease_exclusive and lease_end > now()")
    if held != SESSIONS:
        raise AssertionError(f"{held} leases instead of {SESSIONS}")


def leased(bench, clients, seconds=None):
    return bench.appends("p19leased", SESSIONS, users=1000, clients=clients, seconds=seconds, script="leased")


def free(bench, clients, seconds=None):
    return bench.appends("p19free", SESSIONS, users=1000, clients=clients, seconds=seconds)
