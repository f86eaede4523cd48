"""A PostgreSQL of its own, with durable settings, ended with the benchmark."""

import glob
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time

from harness import machine

TABLES = ("sessions, events, state, initial_state, pending_calls, keys_to_sweep, said, said_sessions, said_vectors, memories, "
          "forgotten, artifacts, artifact_versions, artifact_blobs, artifact_chunks")


class Database:
    def __init__(self, folder):
        self.bin = machine.postgres_binaries()
        self.port = machine.free_port()
        self.user = ordinary_user()
        # Not in the usual folder for temporary files, which may be memory only
        self.data = tempfile.mkdtemp(prefix="agent-sessions-benchmark-", dir=folder or "/var/tmp")
        os.chmod(self.data, 0o700)
        if self.user:
            shutil.chown(self.data, self.user)
        self.process = None

    def start(self):
        self.program("initdb", "-D", self.data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8")
        with open(f"{self.data}/postgresql.conf", "a") as configuration, open("benchmark/postgresql.conf") as settings:
            configuration.write(settings.read())
            configuration.write(f"port = {self.port}\nunix_socket_directories = '{self.data}'\n")
        self.run()
        self.create("bench")
        return self

    def run(self):
        log = open(f"{self.data}/log", "a")
        self.process = subprocess.Popen([f"{self.bin}/postgres", "-D", self.data], stdout=log, stderr=log,
                                        **self.as_user())
        self.program("pg_isready", "-q", "-h", "127.0.0.1", "-p", str(self.port), "-t", "1", attempts=60)

    def create(self, name):
        self.sql(f"create database {name}", database="postgres")

    def load_fixtures(self, database="bench"):
        with open("benchmark/fixtures.sql") as fixtures:
            self.sql(fixtures.read(), database=database)

    def clear(self):
        self.sql(f"truncate {TABLES}")

    def checkpoint(self):
        self.sql("checkpoint")

    def end(self):
        """Like every orderly end of PostgreSQL, after a checkpoint."""
        self.process.send_signal(signal.SIGINT)
        self.process.wait(600)

    def restart(self):
        """Nothing of it is in a cache then, unless that of the operating system may not be emptied."""
        self.checkpoint()
        self.end()
        machine.drop_caches()
        self.run()

    def read_all(self, database):
        """As much of it as fits is in the cache of the operating system then."""
        oid = self.number(f"select oid from pg_database where datname = '{database}'")
        for file in glob.glob(f"{self.data}/base/{oid}/*"):
            with open(file, "rb") as blocks:
                while blocks.read(1 << 20):
                    pass

    def stop(self):
        if self.process:
            self.end()
        shutil.rmtree(self.data, ignore_errors=True)

    def program(self, name, *arguments, attempts=1):
        for attempt in range(attempts):
            done = subprocess.run([f"{self.bin}/{name}", *arguments], capture_output=True, text=True, **self.as_user())
            if done.returncode == 0:
                return done.stdout
            if attempt + 1 < attempts:
                time.sleep(0.5)
        raise RuntimeError(f"{name}: {done.stdout}{done.stderr}")

    def psql(self, *arguments, database="bench"):
        return self.program("psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", "127.0.0.1", "-p",
                            str(self.port), "-U", "postgres", "-d", database, *arguments)

    def sql(self, statement, database="bench"):
        return self.psql("-c", statement, database=database).strip()

    def number(self, query, database="bench"):
        return int(self.sql(query, database=database))

    def rows(self, query, database="bench"):
        """Lists of texts."""
        return [line.split("|") for line in self.sql(query, database=database).splitlines()]

    def settle(self, database="bench"):
        """Nothing of what was before is still to be done in the next measurement."""
        self.sql("vacuum analyze", database=database)
        self.checkpoint()

    def configure(self, setting, value=None):
        """A setting of the server, or its end."""
        self.sql(f"alter system set {setting} = '{value}'" if value else f"alter system reset {setting}")
        self.sql("select pg_reload_conf()")

    def wal_bytes(self):
        return self.number("select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')")

    def sizes(self, database="bench"):
        """Bytes of each table and index of the service that has any, each table before its indexes."""
        return {name: int(size) for name, size in self.rows(f"""
            select c.relname, pg_relation_size(c.oid)
            from pg_class c left join pg_index i on i.indexrelid = c.oid
            where coalesce(i.indrelid, c.oid)::regclass::text in ('{TABLES.replace(", ", "', '")}')
              and pg_relation_size(c.oid) > 8192
            order by coalesce(i.indrelid, c.oid)::regclass::text, i.indexrelid nulls first""", database)}

    def cpu_seconds(self):
        # In this order: a process that ends meanwhile counts among the ended children
        running = sum(machine.cpu_seconds_if_running(pid) for pid in machine.children(self.process.pid))
        return running + sum(machine.cpu_seconds(self.process.pid, True))

    def memory(self):
        """Megabytes (PSS) of all its processes, in which what they share counts once."""
        return sum(machine.megabytes(pid) for pid in [self.process.pid, *machine.children(self.process.pid)])

    def version(self):
        return self.sql("show server_version").split()[0]

    def url(self, scheme, database):
        return f"{scheme}://postgres@127.0.0.1:{self.port}/{database}"

    def settings(self, database):
        """What a service has to know of it."""
        return {"SPRING_DATASOURCE_URL": f"jdbc:postgresql://127.0.0.1:{self.port}/{database}",
                "SPRING_DATASOURCE_USERNAME": "postgres", "SPRING_DATASOURCE_PASSWORD": ""}

    def as_user(self):
        return {"user": self.user, "cwd": self.data} if self.user else {}


def ordinary_user():
    """PostgreSQL does not run as root."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"
