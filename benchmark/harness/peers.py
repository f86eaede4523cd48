"""ADK's own session services: installed below target/, run as a process that does nothing else."""

import os
import shutil
import subprocess
import sys

from harness import machine
from harness.load import Load

INSTALLED = "target/benchmark"


def python():
    """The command that runs ADK Python's service."""
    home = os.path.abspath(f"{INSTALLED}/python")
    if not os.path.exists(f"{home}/complete"):
        install([sys.executable, "-m", "venv", home])
        install([f"{home}/bin/pip", "install", "-q", "--disable-pip-version-check", "-r",
                 "benchmark/peers/python/requirements.txt"])
        open(f"{home}/complete", "w").close()
    return [f"{home}/bin/python", "-W", "ignore", "benchmark/peers/python/peer.py"]


def typescript():
    """The command that runs ADK TypeScript's service."""
    npm, node = machine.program("npm", "npm"), machine.program("node", "nodejs")
    home = os.path.abspath(f"{INSTALLED}/typescript")
    os.makedirs(home, exist_ok=True)
    for file in ("package.json", "peer.mjs"):
        shutil.copy(f"benchmark/peers/typescript/{file}", home)
    if not os.path.exists(f"{home}/complete"):
        install([npm, "install", "--silent", "--no-audit", "--no-fund"], cwd=home)
        open(f"{home}/complete", "w").close()
    return [node, f"{home}/peer.mjs"]


def install(command, **options):
    done = subprocess.run(command, capture_output=True, text=True, **options)
    if done.returncode != 0:
        raise machine.Missing(f"a peer, which could not be installed: {done.stdout}{done.stderr}"[-500:])


def append(command, url, writers, seconds):
    """What the peer stored. It counts itself, the database is asked afterwards."""
    output = subprocess.run([*command, url, str(writers), str(seconds)], capture_output=True, text=True)
    if output.returncode != 0:
        raise RuntimeError(output.stdout + output.stderr)
    stored, took = output.stdout.split()[-2:]
    return Load(int(stored), float(took))
