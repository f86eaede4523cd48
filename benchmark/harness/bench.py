"""What a scenario gets: the database, the service, how long to measure, and where its results go."""

import time

from harness.database import Database
from harness.given import GivenDatabase
from harness.load import pgbench, wrk
from harness.service import Service

# How many events the sessions of an app say they have
REVISIONS = "select coalesce(sum(revision), 0)::bigint from sessions where app_name = '{app}'"

# How many have not exactly the events 1, 2, ..., revision; or whose last event is of another time than they
BROKEN = """
select count(*) from (
  select s.session_key from sessions s left join events e on e.session_key = s.session_key
  where s.app_name = '{app}' group by s.session_key, s.revision, s.last_update_time
  having count(e.seq) <> s.revision or coalesce(max(e.seq), 0) <> s.revision
    or ({fixed_times} and max(e.commit_time) <> s.last_update_time)) as broken
"""


class Bench:
    def __init__(self, java_home, jar, folder, options):
        self.java_home = java_home
        self.jar = jar
        self.folder = folder
        self.seconds = options.seconds
        self.rounds = options.rounds
        self.warm_up = options.warm_up
        self.minutes = options.minutes
        self.events = options.events
        self.locomo = options.locomo
        self.in_session_order = options.in_session_order
        self.database = GivenDatabase(options.database) if options.database else Database(options.data)
        self.service = self.replica()
        self.rows = []
        self.costs = []
        self.tables = []
        self.notes = []

    def start(self):
        self.database.start()
        self.service.start()
        self.database.load_fixtures()

    def clear(self):
        """Each scenario begins with empty tables, so that it does not matter which ran before."""
        self.database.clear()

    def stop(self):
        self.service.stop()
        self.database.stop()

    def replica(self, *options, settings=(), database="bench"):
        return Service(self.java_home, self.jar, self.database, self.folder, options, settings, database)

    def add(self, row):
        print("    " + row.markdown(), flush=True)
        self.rows.append(row)

    def table(self, title, heading, rows):
        """What does not fit into the table of ratios: texts, and numbers behind the first column."""
        lines = [title, "", row_of(heading), "|---" * len(heading) + "|", *map(row_of, rows)]
        print("\n".join(f"    {line}" for line in lines), flush=True)
        self.tables.append(lines)

    def note(self, text):
        print("    " + text, flush=True)
        self.notes.append(text)

    def sessions(self, app, sessions, users=1, events=0, characters=100):
        """Sessions s1, s2, ... of the users u0, u1, ... of the app, with a history each."""
        self.database.sql(f"call fixtures.sessions('{app}', {users}, {sessions})")
        if events:
            self.database.sql(f"call fixtures.events('{app}', {events}, {characters})")

    def appends(self, app, sessions, users=1, clients=1, seconds=None, script="append", each=1, service=None,
                delay=None, **checks):
        """Appends over HTTP; fails if an acknowledged one is missing, or one is there that nobody sent."""
        arguments = [app, users, sessions] + ([delay] if delay is not None else [])
        return self.checked(app, each, clients, lambda seconds: wrk(
            service or self.service, script, *arguments, clients=clients, seconds=seconds), seconds, **checks)

    def turns(self, app, sessions, users=1, agents=1, seconds=None, service=None, **checks):
        """Turns of agents: the newest 20 events are read, and four appended. Counts appends; times are those of turns."""
        return self.checked(app, 1, agents, lambda seconds: wrk(
            service or self.service, "turn", app, users, sessions, agents, clients=agents, threads=agents,
            seconds=seconds), seconds, **checks)

    def pgbench(self, app, sessions, clients, seconds=None, rate=None):
        return self.checked(app, 1, 0, lambda seconds: pgbench(self.database, sessions, clients, seconds, rate), seconds)

    def checked(self, app, each, in_flight, load, seconds, database="bench", prepare=None):
        """A load of appends behind a checkpoint, or what else prepares it; fails if they are not what is stored."""
        before = self.revisions(app, database)
        (prepare or self.database.checkpoint)()
        result = load(seconds or self.seconds)
        surplus = self.revisions(app, database) - before - result.done * each
        # wrk hangs up on its last requests, which may have been stored or not
        if not 0 <= surplus <= in_flight * each:
            raise AssertionError(f"{result.done} acknowledged, but {surplus} more of them in the database")
        result.done *= each
        return result

    def revisions(self, app, database="bench"):
        """How many events there are, once what wrk did not wait for is stored as well."""
        last, now = None, self.read_revisions(app, database)
        while now != last:
            time.sleep(0.2)
            last, now = now, self.read_revisions(app, database)
        return now

    def read_revisions(self, app, database):
        return self.database.number(REVISIONS.format(app=app), database=database)

    def check_histories(self, app, fixed_times=True, database="bench"):
        """Every session has exactly the events that its revision says."""
        broken = self.database.number(BROKEN.format(app=app, fixed_times=fixed_times), database=database)
        if broken:
            raise AssertionError(f"{broken} sessions of {app} have other events than their revision says")

    def cpu_seconds(self):
        """What the service has used, as user and in the system, and what PostgreSQL has."""
        return [*self.service.cpu_seconds(), self.database.cpu_seconds()]

    def reads(self, path, seconds=None, clients=1):
        """Reads over HTTP, one after the other."""
        return wrk(self.service, "report", clients=clients, seconds=seconds or self.seconds, path=path)


def row_of(cells):
    return "| " + " | ".join(map(str, cells)) + " |"
