"""A PostgreSQL of its own, with durable settings, ended with the benchmark."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time

from harness import machine


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
        log = open(f"{self.data}/log", "w")
        self.process = subprocess.Popen([f"{self.bin}/postgres", "-D", self.data], stdout=log, stderr=log,
                                        **self.as_user())
        self.program("pg_isready", "-q", "-h", "127.0.0.1", "-p", str(self.port), "-t", "1", attempts=60)
        self.create("bench")
        return self

    def create(self, name):
        self.sql(f"create database {name}", database="postgres")

    def stop(self):
        if self.process:
            self.process.send_signal(signal.SIGINT)
            self.process.wait(60)
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

    def number(self, query):
        return int(self.sql(query))

    def settle(self):
        """Nothing of what was before is still to be done in the next measurement."""
        self.sql("vacuum analyze")
        self.sql("checkpoint")

    def cpu_seconds(self):
        # In this order: a process that ends meanwhile counts among the ended children
        running = sum(machine.cpu_seconds_if_running(pid) for pid in machine.children(self.process.pid))
        return running + sum(machine.cpu_seconds(self.process.pid, True))

    def version(self):
        return self.sql("show server_version").split()[0]

    def url(self, scheme, database):
        return f"{scheme}://postgres@127.0.0.1:{self.port}/{database}"

    def as_user(self):
        return {"user": self.user, "cwd": self.data} if self.user else {}


def ordinary_user():
    """PostgreSQL does not run as root."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"
