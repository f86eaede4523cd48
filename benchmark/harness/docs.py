"""The report as Markdown, and the table in docs/performance.md."""

import re
import subprocess
import textwrap
import time

from harness import compare, machine
from harness.service import MEMORY

PAGE = "docs/performance.md"
BEGIN, END = "<!-- benchmark/run --write-docs: begin -->", "<!-- end -->"


def report(bench):
    lines = [f"{today()}, {conditions(bench)}", "", compare.HEADING]
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


def conditions(bench):
    return (f"commit {commit()}. {machine.description(bench.database.data)}. PostgreSQL {bench.database.version()}, "
            f"JDK {machine.java_version(bench.java_home)}, {' '.join(MEMORY)}. "
            f"{bench.rounds} pairs of {bench.seconds} seconds each.")


def write(bench):
    """Replaces the rows of each figure that was measured; the rows of other figures stay, with their dates."""
    with open(PAGE) as page:
        before, rest = page.read().split(BEGIN)
    table, after = rest.split(END)
    with open(PAGE, "w") as page:
        page.write(before + BEGIN + "\n" + merged(table, bench.rows, today(), conditions(bench)) + END + after)


def merged(table, rows, date, conditions):
    measured = {row.target for row in rows}
    old = [line for line in table.splitlines() if re.match(r"\| [PS]\d", line)]
    lines = [line for line in old if cells(line)[0] not in measured] + [row.page_line(date) for row in rows]
    lines.sort(key=lambda line: (cells(line)[0][0], int(cells(line)[0][1:])))
    dates = {cells(line)[-1] for line in lines}
    runs = dict(re.findall(r"^- ([-\d]+): (.*(?:\n  .*)*)", table, re.MULTILINE)) | {date: conditions}
    notes = [textwrap.fill(f"- {day}: {' '.join(runs[day].split())}", 118, subsequent_indent="  ",
                           break_long_words=False, break_on_hyphens=False) for day in sorted(runs) if day in dates]
    return "\n".join([compare.PAGE_HEADING, *lines, "", *notes]) + "\n"


def cells(line):
    return [cell.strip() for cell in line.strip("|").split("|")]


def today():
    return time.strftime("%Y-%m-%d", time.gmtime())


def commit():
    return subprocess.run(["git", "describe", "--always", "--dirty"], capture_output=True, text=True).stdout.strip()
