"""A database that somebody else runs: nothing is touched in it but the sessions that a scenario has made there."""

import subprocess

from harness import machine

PREFIX = "jdbc:"


class GivenDatabase:
    data = None

    def __init__(self, url):
        self.psql = machine.program("psql", "postgresql-client")
        self.jdbc = url
        # psql takes the same URL, with user and password among its parameters
        self.uri = url[len(PREFIX):] if url.startswith(PREFIX) else url

    def start(self):
        self.sql("select 1")

    def load_fixtures(self):
        """Needs none."""

    def clear(self):
        """What is in it is not ours."""

    def checkpoint(self):
        """Takes a superuser."""

    def stop(self):
        """Nor is it to be ended."""

    def sql(self, statement, database=None):
        done = subprocess.run([self.psql, "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", self.uri, "-c", statement],
                              capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"psql: {done.stdout}{done.stderr}")
        return done.stdout.strip()

    def number(self, query, database=None):
        return int(self.sql(query))

    def version(self):
        return self.sql("show server_version").split()[0]

    def settings(self, database):
        return {"SPRING_DATASOURCE_URL": PREFIX + self.uri}
