"""Runs the scenarios and prints the table."""

import argparse
import importlib
import os
import pkgutil
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback

import scenarios
from harness import docs, machine
from harness.bench import Bench

SCENARIOS = sorted((module.name for module in pkgutil.iter_modules(scenarios.__path__)),
                   key=lambda name: (name[0], int(name[1:].split("_")[0])))


def options():
    parser = argparse.ArgumentParser(prog="benchmark/run", description="Scenarios: " + ", ".join(SCENARIOS))
    parser.add_argument("scenarios", nargs="*", help="for example p1 p6; if none is named, all but p13, p14, p21, p22, s1 and s3")
    parser.add_argument("--seconds", type=int, default=10, help="of each measurement (10)")
    parser.add_argument("--rounds", type=int, default=6, help="pairs of measurements (6)")
    parser.add_argument("--warm-up", type=int, default=60, help="seconds before a scenario counts (60)")
    parser.add_argument("--events", type=int, default=10_000_000, help="in the large database of P13 and P22 (10,000,000)")
    parser.add_argument("--in-session-order", action="store_true",
                        help="P13: one session is stored behind the other, instead of 10,000 at a time in turns")
    parser.add_argument("--minutes", type=float, default=30, help="of P14 (30)")
    parser.add_argument("--locomo", help="folder with the files of LoCoMo or LongMemEval, for S1")
    parser.add_argument("--database", help="JDBC URL of a database of yours, for P21 and nothing else")
    parser.add_argument("--jar", help="an existing jar with lib beside it, for P11 and P24 the script and embedded as well; otherwise it is built")
    parser.add_argument("--java", type=int, default=25, help="which JDK (25)")
    parser.add_argument("--data", help="folder for the database, on the disk to measure (/var/tmp)")
    parser.add_argument("--write-docs", action="store_true", help="write the rows into the table of docs/performance.md")
    wanted = parser.parse_args()
    if wanted.database and {scenario.lower() for scenario in wanted.scenarios} - {"p21"}:
        parser.error("--database is for p21 only: the others empty its tables")
    return wanted


def main():
    wanted = options()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    folder = tempfile.mkdtemp(prefix="agent-sessions-benchmark-")
    bench = None
    try:
        names = chosen(wanted)
        for tool in (("wrk", "wrk"), ("curl", "curl")):
            machine.program(*tool)
        java_home = machine.java_home(wanted.java)
        bench = Bench(java_home, os.path.abspath(wanted.jar or build(java_home)), folder, wanted)
        bench.start()
        failed = measure(bench, names)
        print("\n" + docs.report(bench))
        if wanted.write_docs:
            docs.write(bench)
        return 1 if failed else 0
    except machine.Missing as missing:
        print(f"Missing: {missing}", file=sys.stderr)
        return 1
    finally:
        if bench:
            bench.stop()
        shutil.rmtree(folder, ignore_errors=True)


def chosen(wanted):
    """The scenarios that are named; if none is, all but those that run only then."""
    named = {scenario.lower() for scenario in wanted.scenarios} or ({"p21"} if wanted.database else set())
    return [name for name in SCENARIOS if (name.split("_")[0] in named if named else not runs_only_if_named(name))]


def runs_only_if_named(name):
    return getattr(importlib.import_module(f"scenarios.{name}"), "ONLY_IF_NAMED", False)


def build(java_home):
    subprocess.run(["./mvnw", "-q", "-B", "-ntp", "-DskipTests", "package"], check=True,
                   env={**os.environ, "JAVA_HOME": java_home})
    return "target/agent-sessions.jar"


def measure(bench, names):
    """Each scenario on its own, so that one that fails does not hide the others."""
    failed = []
    for name in names:
        print(f"{time.strftime('%H:%M:%S')} {name}", flush=True)
        try:
            bench.clear()
            importlib.import_module(f"scenarios.{name}").measure(bench)
        except machine.Missing as missing:
            bench.note(f"{name.split('_')[0].upper()} left out: missing {missing}")
        except Exception:
            traceback.print_exc()
            bench.note(f"**{name.split('_')[0].upper()} failed**")
            failed.append(name)
    return failed


sys.exit(main())
