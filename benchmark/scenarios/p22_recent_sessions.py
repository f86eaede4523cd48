"""P22: appends to sessions that were created in the last hour, in a database of 10,000,000 events, against one of 200,000.

Both have the same 10,000 recent sessions with 20 events each, to which all appends go. The small one has nothing else; the
large one also has older sessions, which get no request.
"""

from harness.compare import compare, row
from scenarios.p13_growth import CLIENTS, EACH, Side

ONLY_IF_NAMED = True
RECENT, HOUR = 10_000, "interval '1 hour'"


def measure(bench):
    large = Side(bench, "p22", "bench", RECENT, bench.service)
    small = Side(bench, "p22", "small", RECENT, None)
    small.create()
    try:
        fill_old(bench, large)
        for side in large, small:
            fill_recent(bench, side)
            side.appends(bench.database.checkpoint, bench.warm_up)
        for side in large, small:
            bench.database.read_all(side.database)
            side.appends(bench.database.checkpoint)
        compare_sides(bench, large, small)
        for side in large, small:
            bench.check_histories(side.app, database=side.database)
    finally:
        small.end()


def fill_old(bench, side):
    """Sessions that end where the last hour begins, until the database has as many events as it is to have."""
    old = bench.events // EACH - RECENT
    bench.database.sql(f"call fixtures.conversations('p22-old', {max(1, old // 10)}, {old}, {EACH}, true, "
                       f"now() - {HOUR})", database=side.database)


def fill_recent(bench, side):
    """Sessions of the last hour: their events come as close behind each other as it takes for that."""
    bench.database.sql(f"call fixtures.conversations('{side.app}', {side.to['users']}, {RECENT}, {EACH}, true, now(), "
                       f"{HOUR} / {RECENT * EACH})", database=side.database)
    bench.database.settle(side.database)


def compare_sides(bench, large, small):
    what = f"to sessions of the last hour, {bench.events:,} events ÷ {RECENT * EACH:,}"
    many, few = compare(lambda: large.appends(bench.database.checkpoint),
                        lambda: small.appends(bench.database.checkpoint), bench.rounds)
    bench.add(row("P22", f"appends/s, {CLIENTS} clients: {what}", [load.rate for load, _ in many],
                  [load.rate for load, _ in few], "/s", at_least=0.9))
    bench.add(row("P22", f"log (WAL) of an append after a checkpoint: {what}", [log / 1000 for _, log in many],
                  [log / 1000 for _, log in few], "KB", at_most=1.5))
