"""P13: appends and turns in a database of 10,000,000 events in 500,000 sessions, against one of 200,000 in 10,000.

Both have 20 events a session, as many as a turn reads; the small one is as empty as that allows, and fits into the
buffers of PostgreSQL. Requests go to random sessions of all. Cold: before each measurement, on both sides, PostgreSQL was
ended and started again, and the operating system's cache of files emptied. Warm: as many files as fit are in that cache.
"""

from harness import machine
from harness.compare import compare, row

ONLY_IF_NAMED = True
EACH, SMALL, CLIENTS, AGENTS, APPENDS = 20, 10_000, 64, 16, 4


def measure(bench):
    large = Side(bench, "p13", "bench", bench.events // EACH, bench.service)
    small = Side(bench, "p13", "small", SMALL, None)
    if not machine.drop_caches():
        bench.note("P13: the operating system's cache may not be emptied, so cold means PostgreSQL's own buffers only")
    try:
        fill(bench, large, small)
        storage(bench, large)
        for side in large, small:
            side.warm_up()
        pairs(bench, "cold", lambda: cool(bench, large, small), large, small)
        for side in large, small:
            bench.database.read_all(side.database)
            side.appends(bench.database.checkpoint)
        pairs(bench, "warm", bench.database.checkpoint, large, small)
        for side in large, small:
            bench.check_histories("p13", database=side.database)
            bench.note(f"P13: {side.hot():.0%} of the updates of sessions were HOT, {side.sessions:,} sessions")
    finally:
        small.end()


class Side:
    """A database with a service, and the app to whose sessions requests go."""

    def __init__(self, bench, app, database, sessions, service):
        self.bench = bench
        self.app = app
        self.database = database
        self.sessions = sessions
        self.service = service
        self.to = {"database": database, "users": sessions // 10}

    def create(self):
        self.bench.database.create(self.database)
        self.service = self.bench.replica(database=self.database)
        self.service.start()
        self.bench.database.load_fixtures(self.database)

    def end(self):
        if self.service:
            self.service.stop()
            self.bench.database.sql(f"drop database {self.database}")

    def warm_up(self):
        self.appends(self.bench.database.checkpoint, self.bench.warm_up)
        self.turns(self.bench.database.checkpoint, self.bench.warm_up // 2 or 1)

    def appends(self, prepare, seconds=None):
        return self.with_log(prepare, lambda counted: self.bench.appends(
            self.app, self.sessions, clients=CLIENTS, seconds=seconds, service=self.service, prepare=counted, **self.to))

    def turns(self, prepare, seconds=None):
        return self.with_log(prepare, lambda counted: self.bench.turns(
            self.app, self.sessions, agents=AGENTS, seconds=seconds, service=self.service, prepare=counted, **self.to))

    def with_log(self, prepare, measured):
        """The load, and the bytes of log (WAL) for each append."""
        before = []

        def counted():
            prepare()
            before.append(self.bench.database.wal_bytes())

        load = measured(counted)
        return load, (self.bench.database.wal_bytes() - before[0]) / load.done

    def hot(self):
        """The share of updates of sessions that left their indexes alone."""
        return float(self.bench.database.sql("select n_tup_hot_upd / greatest(n_tup_upd, 1.0) from pg_stat_user_tables "
                                             "where relname = 'sessions'", database=self.database))


def fill(bench, large, small):
    small.create()
    for side in large, small:
        bench.database.sql(f"call fixtures.conversations('p13', {side.to['users']}, {side.sessions}, {EACH}, "
                           f"{not bench.in_session_order})", database=side.database)
        bench.database.settle(side.database)
        newest = side.service.json(f"/apps/p13/users/u{1 % side.to['users']}/sessions/s1?numRecentEvents=20")["events"]
        if len(newest) != EACH:
            raise AssertionError(f"not {EACH} events in a session")


def cool(bench, *sides):
    bench.database.restart()
    for side in sides:
        side.service.recover()


def pairs(bench, caches, prepare, large, small):
    what = f"{large.sessions * EACH:,} events ÷ {small.sessions * EACH:,}, {caches}"
    many, few = compare(lambda: large.appends(prepare), lambda: small.appends(prepare), bench.rounds)
    bench.add(row("P13", f"appends/s, {CLIENTS} clients: {what}", [load.rate for load, _ in many],
                  [load.rate for load, _ in few], "/s", at_least=0.7))
    bench.add(row("P13", f"log (WAL) of an append after a checkpoint: {what}", [log / 1000 for _, log in many],
                  [log / 1000 for _, log in few], "KB"))
    many, few = compare(lambda: large.turns(prepare), lambda: small.turns(prepare), bench.rounds)
    bench.add(row("P13", f"turns/s, {AGENTS} agents: {what}", [load.rate / APPENDS for load, _ in many],
                  [load.rate / APPENDS for load, _ in few], "/s", at_least=0.7))
    bench.add(row("P13", f"turn, p99: {what}", [load.p99 / 1000 for load, _ in many],
                  [load.p99 / 1000 for load, _ in few], "ms"))


def storage(bench, side):
    """What an event takes of each table and index."""
    events = side.sessions * EACH
    sizes = bench.database.sizes(side.database)
    sizes["together"] = sum(sizes.values())
    order = "one session behind the other" if bench.in_session_order else "10,000 sessions in turns"
    bench.table(f"P13: {events:,} events in {side.sessions:,} sessions, stored {order}:", ["", "MB", "bytes an event"],
                [[f"`{name}`", f"{size / 1e6:,.0f}", f"{size / events:.0f}"] for name, size in sizes.items()])
