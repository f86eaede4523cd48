"""P10: two replicas on one database, against one, each kept to a share of a processor so that the database has room."""

from concurrent.futures import ThreadPoolExecutor

from harness.compare import compare, row
from harness.limit import CpuLimit
from harness.load import Load, wrk

SESSIONS, CLIENTS, SHARE = 10_000, 64, 0.25


def measure(bench):
    bench.sessions("p10", SESSIONS, users=1000)
    bench.database.settle()
    replicas = [bench.replica(), bench.replica()]
    try:
        for replica in replicas:
            replica.start()
            appends(bench, [replica], bench.warm_up)
        with CpuLimit(replicas[0].process.pid, SHARE), CpuLimit(replicas[1].process.pid, SHARE):
            two, one = compare(lambda: appends(bench, replicas).rate, lambda: appends(bench, replicas[:1]).rate,
                               bench.rounds)
        bench.check_histories("p10")
        bench.add(row("P10", f"appends/s, {CLIENTS} clients, each replica with {SHARE:.0%} of a processor: two ÷ one", two,
                      one, "/s", at_least=1.6))
    finally:
        for replica in replicas:
            replica.stop()


def appends(bench, replicas, seconds=None):
    """The clients share the replicas."""
    return bench.checked("p10", 1, CLIENTS, lambda seconds: together(replicas, seconds), seconds)


def together(replicas, seconds):
    def one(replica):
        return wrk(replica, "append", "p10", 1000, SESSIONS, clients=CLIENTS // len(replicas), seconds=seconds)

    with ThreadPoolExecutor() as threads:
        loads = list(threads.map(one, replicas))
    return Load(sum(load.done for load in loads), max(load.seconds for load in loads))
