"""Puts load on the service with wrk and on the database with pgbench."""

import json
import os
import re
import resource
import subprocess
import tempfile
from dataclasses import dataclass, field

from harness import machine

# One append as its own transaction, in as few steps as PostgreSQL needs. The sessions are those of
# fixtures.pgbench_sessions. The body is a parameter, so that it is sent and checked each time, as it is with the service.
SCRIPT = """\\set s random(1, {sessions})
\\set id random(1000000000000000, 9000000000000000)
with moved as (
  update sessions
  set revision = revision + 1,
    last_update_time = greatest(statement_timestamp(), last_update_time + interval '1 microsecond')
  where session_key = lpad(to_hex(:s::int), 32, '0')::uuid
  returning session_key, revision, last_update_time),
stored as (
  insert into events (session_key, seq, commit_time, id, invocation_id, author, time, kind, size, body)
  select session_key, revision, last_update_time, '0e1de8a3-0a1e-4d41-' || :id, 'inv-1', 'agent', statement_timestamp(), 1,
    length(:body), :body::json from moved),
changed as (
  insert into state (scope_key, key, value) select session_key, 'step', (:s::text)::json from moved
  on conflict (scope_key, key) do update set value = excluded.value)
select revision, last_update_time from moved;
"""

BODY = json.dumps({"author": "agent", "invocationId": "inv-12", "content": {"role": "model", "parts": [{
    "text": "Hello there, this is the answer of the agent, of an ordinary length."}]},
    "actions": {"stateDelta": {"step": 12}}, "id": "0e1de8a3-0a1e-4d41-9f3d-ec25b0b73b5d",
    "timestamp": 1795248086.810696}, separators=(",", ":"))


@dataclass
class Load:
    """What came of a time under load."""

    done: int
    seconds: float
    p50: float = 0
    p99: float = 0
    client_cpu: float = 0
    found: dict = field(default_factory=dict)

    @property
    def rate(self):
        return self.done / self.seconds


def wrk(service, script, *arguments, clients, seconds, path="/", threads=1):
    """Answers that were all good, or it fails. With as many threads as clients, a script knows whose answer it sees."""
    command = ["wrk", f"-t{threads}", f"-c{clients}", f"-d{seconds}s", "--timeout", "30s", "-s", f"{script}.lua",
               service.url + path, "--", *map(str, arguments)]
    output, cpu = run(command, cwd="benchmark/lua")
    found = json.loads(output.splitlines()[-1])
    if found["refused"] or found["broken"] or not found["requests"]:
        raise AssertionError(f"not every request was answered with 200: {found}")
    return Load(found["requests"], found["microseconds"] / 1e6, found["p50"], found["p99"], cpu, found)


def pgbench(database, sessions, clients, seconds, rate=None):
    """Single appends, each a transaction; with a rate, at random times of so many a second, and with percentiles."""
    with tempfile.TemporaryDirectory() as logs:
        options = ["-l", "--log-prefix", f"{logs}/log", "-R", str(int(rate))] if rate else []
        load = run_pgbench(database, SCRIPT.format(sessions=sessions), clients, seconds,
                           ["-M", "prepared", "-D", f"body={BODY}", *options])
        if rate:
            times = sorted(latencies(logs))
            load.p50, load.p99 = times[len(times) // 2], times[len(times) * 99 // 100]
        return load


def latencies(logs):
    """Microseconds of each transaction, without what it was late by when it began: wrk does not count that either."""
    for log in os.scandir(logs):
        with open(log) as lines:
            for line in lines:
                columns = line.split()
                yield int(columns[2]) - int(columns[6])


def run_pgbench(database, script, clients, seconds, options, environment=None):
    command = [f"{database.bin}/pgbench", "-n", "-h", "127.0.0.1", "-p", str(database.port), "-U", "postgres", "-c",
               str(clients), "-j", "1", "-T", str(seconds), *options, "-f", "/dev/stdin", "bench"]
    output, cpu = run(command, input=script, env={**os.environ, **(environment or {})})
    done = int(re.search(r"transactions actually processed: (\d+)", output)[1])
    if "number of failed transactions: 0 " not in output:
        raise AssertionError(output)
    return Load(done, done / float(re.search(r"tps = ([\d.]+)", output)[1]), client_cpu=cpu)


def run(command, **options):
    """The output of a program and the seconds of CPU that it took."""
    before = children_cpu()
    done = subprocess.run(command, capture_output=True, text=True, **options)
    if done.returncode != 0:
        raise RuntimeError(f"{command[0]}: {done.stdout}{done.stderr}")
    return done.stdout, children_cpu() - before


def children_cpu():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
