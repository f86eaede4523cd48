"""The report as Markdown, and its place in docs/performance.md."""

import subprocess
import time

from harness import compare, machine
from harness.service import MEMORY

PAGE = "docs/performance.md"
BEGIN, END = "<!-- benchmark/run --write-docs: begin -->", "<!-- end -->"


def report(bench):
    lines = [f"{time.strftime('%Y-%m-%d', time.gmtime())}, commit {commit()}. {machine.description(bench.database.data)}. "
             f"PostgreSQL {bench.database.version()}, JDK {machine.java_version(bench.java_home)}, {' '.join(MEMORY)}. "
             f"{bench.rounds} pairs of {bench.seconds} seconds each.", "", compare.HEADING]
    lines += [row.markdown() for row in bench.rows]
    if bench.costs:
        lines += ["", "Microseconds of CPU for one append, all clients and processes on this machine (median):", "",
                  "| | service, user | service, system | PostgreSQL | client | together |", "|---|---|---|---|---|---|"]
        lines += bench.costs
    for table in bench.tables:
        lines += ["", *table]
    if bench.notes:
        lines += [""] + [f"- {note}" for note in bench.notes]
    return "\n".join(lines) + "\n"


def write(text):
    with open(PAGE) as page:
        before, rest = page.read().split(BEGIN)
    with open(PAGE, "w") as page:
        page.write(before + BEGIN + "\n" + text + END + rest.split(END)[1])


def commit():
    return subprocess.run(["git", "describe", "--always", "--dirty"], capture_output=True, text=True).stdout.strip()
