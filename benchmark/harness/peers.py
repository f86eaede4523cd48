"""Other session services: installed below target/, each run as a process that does nothing else."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from typing import Callable

from harness import machine
from harness.load import Load

INSTALLED = "target/benchmark"


def python(folder):
    """The command that runs a peer in Python."""
    home = os.path.abspath(f"{INSTALLED}/{folder}")
    if not os.path.exists(f"{home}/complete"):
        install([sys.executable, "-m", "venv", home])
        install([f"{home}/bin/pip", "install", "-q", "--disable-pip-version-check", "-r",
                 f"benchmark/peers/{folder}/requirements.txt"])
        open(f"{home}/complete", "w").close()
    return [f"{home}/bin/python", "-W", "ignore", f"benchmark/peers/{folder}/peer.py"]


def typescript(folder):
    """The command that runs a peer in TypeScript."""
    npm, node = machine.program("npm", "npm"), machine.program("node", "nodejs")
    home = os.path.abspath(f"{INSTALLED}/{folder}")
    os.makedirs(home, exist_ok=True)
    for file in ("package.json", "peer.mjs"):
        shutil.copy(f"benchmark/peers/{folder}/{file}", home)
    if not os.path.exists(f"{home}/complete"):
        install([npm, "install", "--silent", "--no-audit", "--no-fund"], cwd=home)
        open(f"{home}/complete", "w").close()
    return [node, f"{home}/peer.mjs"]


def install(command, **options):
    done = subprocess.run(command, capture_output=True, text=True, **options)
    if done.returncode != 0:
        raise machine.Missing(f"a peer, which could not be installed: {done.stdout}{done.stderr}"[-500:])


@dataclass
class Peer:
    """Its name, the folder of its program, what makes a command of it, how it names a database, and what it stores in."""

    name: str
    folder: str
    program: Callable
    scheme: str
    table: str

    def command(self):
        """Installed first if it is not."""
        return self.program(self.folder)

    def measure(self, bench, kind, writers):
        """On an empty database each time, because peers become slower with what they have stored."""
        database = f"peer_{self.folder}"
        command = [*self.command(), bench.database.url(self.scheme, database), kind, str(writers),
                   str(bench.seconds)]
        bench.database.sql(f"drop database if exists {database}", database="postgres")
        bench.database.create(database)
        bench.database.checkpoint()
        load = self.run(command)
        stored = bench.database.number(f"select count(*) from {self.table}", database=database)
        if stored < load.done:
            raise AssertionError(f"{self.name} says it stored {load.done}, but there are {stored}")
        return load

    def run(self, command):
        """What the peer stored. It counts itself, the database is asked afterwards."""
        output = subprocess.run(command, capture_output=True, text=True)
        if output.returncode != 0:
            raise RuntimeError(output.stdout + output.stderr)
        stored, seconds, p50, p99 = output.stdout.split()[-4:]
        return Load(int(stored), float(seconds), float(p50), float(p99))


ADK_PYTHON = Peer("ADK Python's DatabaseSessionService", "python", python, "postgresql+asyncpg", "events")
ADK_TYPESCRIPT = Peer("ADK TypeScript's DatabaseSessionService", "typescript", typescript, "postgresql", "events")
LANGGRAPH = Peer("LangGraph's AsyncPostgresSaver", "langgraph", python, "postgresql", "checkpoints")
