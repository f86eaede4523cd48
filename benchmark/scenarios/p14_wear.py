"""P14: half an hour of sessions that are created, get events and are deleted, at 70 % of the peak: does it wear out?

There are as many sessions at the end as at the beginning, and each of them has been replaced many times.
"""

import time

from harness.compare import absolute, row
from harness.load import wrk

ONLY_IF_NAMED = True
SESSIONS, USERS, CLIENTS, EVENTS, SHARE = 9_600, 1000, 64, 10, 0.7
CHECKPOINTS = "5min"


def measure(bench):
    bench.sessions("p14", SESSIONS, users=USERS, events=EVENTS)
    bench.database.sql("call fixtures.state('p14', 1, 10)")
    bench.database.sql("vacuum full")
    bench.database.settle()
    compact = bench.database.sizes()
    lives(bench, bench.warm_up)
    peak = max(lives(bench, bench.seconds).rate for _ in range(3))
    apart = pause(bench, SHARE * peak)
    # PostgreSQL's default, as checkpoints are part of what is measured
    bench.database.configure("checkpoint_timeout", CHECKPOINTS)
    try:
        count = max(2, round(bench.minutes))
        minutes = [lives(bench, max(1, round(60 * bench.minutes / count)), apart) for _ in range(count)]
        report(bench, peak, minutes)
        sizes(bench, compact)
    finally:
        bench.database.configure("checkpoint_timeout")
    bench.check_histories("p14", fixed_times=False)


def pause(bench, rate):
    """How many milliseconds each client has to wait before each request for so many a second."""
    apart = 1000 * CLIENTS / rate
    measured = lives(bench, bench.seconds, apart).rate
    return max(1, apart + 1000 * CLIENTS / rate - 1000 * CLIENTS / measured)


def lives(bench, seconds, apart=0):
    """Each client has sessions of its own; fails if an acknowledged append is missing."""
    # What is still under way of the last one: it may create and delete, which no revision shows
    time.sleep(2)
    ranges = [f"{first}:{last}" for first, last in windows(bench)]
    before = bench.revisions("p14")
    load = wrk(bench.service, "lives", "p14", USERS, f"{apart:.3f}", *ranges, clients=CLIENTS, threads=CLIENTS,
               seconds=seconds)
    surplus = bench.revisions("p14") - before - load.found["grown"]
    if not -load.found["removing"] <= surplus <= load.found["adding"]:
        raise AssertionError(f"{surplus} events more than were acknowledged: {load.found}")
    return load


def windows(bench):
    """The first and the last session of each client."""
    rows = bench.database.rows(f"""
        select min(number), max(number), count(*) from (
          select substr(id, 2)::int as number from sessions where app_name = 'p14') s
        group by number % {CLIENTS} order by number % {CLIENTS}""")
    found = [tuple(map(int, columns)) for columns in rows]
    if len(found) != CLIENTS or any(count != (last - first) // CLIENTS + 1 for first, last, count in found):
        raise AssertionError(f"not the sessions that were created and not deleted: {found}")
    return [(first, last) for first, last, _ in found]


def report(bench, peak, minutes):
    first, last = minutes[0], minutes[-1]
    of_peak = sum(load.rate for load in minutes) / len(minutes) / peak
    what = f"{bench.minutes:g} minutes of requests, at {of_peak:.0%} of the peak of {peak:,.0f}/s: last minute ÷ first"
    bench.add(row("P14", f"{what}, requests/s", [last.rate], [first.rate], "/s", at_least=0.9))
    bench.add(row("P14", f"{what}, p99", [last.p99 / 1000], [first.p99 / 1000], "ms", at_most=1.11))
    bench.add(absolute("P14", "p99 of each minute", [load.p99 / 1000 for load in minutes], "ms"))


def sizes(bench, compact):
    """There are about as many rows as there were when all was compact, so what has grown is bloat."""
    after = bench.database.sizes()
    used = in_use(bench, after)
    events = bench.database.number("select count(*) from events")
    bench.table(f"P14: tables and indexes before, compact and with {SESSIONS * EVENTS:,} events, and after, with {events:,}:",
                ["", "MB before", "MB after", "after ÷ before", "in use"],
                [[f"`{name}`", f"{compact.get(name, 0) / 1e6:.1f}", f"{size / 1e6:.1f}",
                  f"{size / compact[name]:.2f}" if name in compact else "", used.get(name, "")]
                 for name, size in after.items()])
    updates, hot = bench.database.rows(
        "select n_tup_upd, n_tup_hot_upd from pg_stat_user_tables where relname = 'sessions'")[0]
    bench.note(f"P14: {int(hot):,} of {int(updates):,} updates of sessions were HOT")


def in_use(bench, names):
    """The share of each table that is rows, and of the leaves of each index that is entries, if the extension is there."""
    if not bench.database.number("select count(*) from pg_available_extensions where name = 'pgstattuple'"):
        bench.note("P14: no extension pgstattuple, so nothing is known but sizes")
        return {}
    bench.database.sql("create extension if not exists pgstattuple")
    shares = {}
    for name in names:
        index = bench.database.number(f"select (relkind = 'i')::int from pg_class where oid = '{name}'::regclass")
        query = f"avg_leaf_density from pgstatindex('{name}')" if index else f"tuple_percent from pgstattuple('{name}')"
        shares[name] = f"{float(bench.database.sql('select ' + query)):.0f} %"
    return shares
