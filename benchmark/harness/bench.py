"""What a scenario gets: the database, the service, how long to measure, and where its results go."""

import time

from harness.database import Database
from harness.load import pgbench, wrk
from harness.service import Service


class Bench:
    def __init__(self, java_home, jar, folder, options):
        self.java_home = java_home
        self.jar = jar
        self.folder = folder
        self.seconds = options.seconds
        self.rounds = options.rounds
        self.warm_up = options.warm_up
        self.database = Database(options.data)
        self.service = self.replica()
        self.rows = []
        self.costs = []
        self.notes = []

    def start(self):
        self.database.start()
        self.service.start()
        with open("benchmark/fixtures.sql") as fixtures:
            self.database.sql(fixtures.read())

    def clear(self):
        """Each scenario begins with empty tables, so that it does not matter which ran before."""
        self.database.sql("truncate sessions, events, state, initial_state, event_marks, pending_calls")

    def stop(self):
        self.service.stop()
        self.database.stop()

    def replica(self, *options, settings=()):
        return Service(self.java_home, self.jar, self.database, self.folder, options, settings)

    def add(self, row):
        print("    " + row.markdown(), flush=True)
        self.rows.append(row)

    def note(self, text):
        print("    " + text, flush=True)
        self.notes.append(text)

    def sessions(self, app, sessions, users=1, events=0, characters=100):
        """Sessions s1, s2, ... of the users u0, u1, ... of the app, with a history each."""
        self.database.sql(f"call fixtures.sessions('{app}', {users}, {sessions})")
        if events:
            self.database.sql(f"call fixtures.events('{app}', {events}, {characters})")

    def appends(self, app, sessions, users=1, clients=1, seconds=None, script="append", each=1, service=None,
                delay=None):
        """Appends over HTTP; fails if an acknowledged one is missing, or one is there that nobody sent."""
        arguments = [app, users, sessions] + ([delay] if delay is not None else [])
        return self.checked(app, each, clients, lambda seconds: wrk(
            service or self.service, script, *arguments, clients=clients, seconds=seconds), seconds)

    def pgbench(self, app, sessions, clients, seconds=None, rate=None):
        return self.checked(app, 1, 0, lambda seconds: pgbench(self.database, sessions, clients, seconds, rate), seconds)

    def checked(self, app, each, in_flight, load, seconds):
        self.database.sql("checkpoint")
        before = self.revisions(app)
        result = load(seconds or self.seconds)
        surplus = self.revisions(app) - before - result.done * each
        # wrk hangs up on its last requests, which may have been stored or not
        if not 0 <= surplus <= in_flight * each:
            raise AssertionError(f"{result.done} acknowledged, but {surplus} more of them in the database")
        result.done *= each
        return result

    def revisions(self, app):
        """How many events there are, once what wrk did not wait for is stored as well."""
        last, now = None, self.read_revisions(app)
        while now != last:
            time.sleep(0.2)
            last, now = now, self.read_revisions(app)
        return now

    def read_revisions(self, app):
        return self.database.number(f"select fixtures.revisions('{app}')")

    def check_histories(self, app, fixed_times=True):
        """Every session has exactly the events that its revision says."""
        broken = self.database.number(f"select fixtures.broken('{app}', {fixed_times})")
        if broken:
            raise AssertionError(f"{broken} sessions of {app} have other events than their revision says")

    def reads(self, path, seconds=None, clients=1):
        """Reads over HTTP, one after the other."""
        return wrk(self.service, "report", clients=clients, seconds=seconds or self.seconds, path=path)
