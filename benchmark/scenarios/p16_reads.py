"""P16: reads of sessions with their newest 20 events over HTTP, against pgbench with the same statements, prepared."""

from harness import statements
from harness.compare import compare, row
from harness.load import run_pgbench, wrk

SESSIONS, USERS, EVENTS, RECENT, CLIENTS = 10_000, 1000, 40, 20, 64
# What the service sets on its own connections (application.yml)
OPTIONS = {"PGOPTIONS": "-c enable_seqscan=off -c jit=off -c plan_cache_mode=force_generic_plan"}


def measure(bench):
    bench.sessions("p16", SESSIONS, users=USERS, events=EVENTS)
    bench.database.sql(f"call fixtures.pgbench_sessions('p16direct', {SESSIONS})")
    bench.database.sql(f"call fixtures.events('p16direct', {EVENTS}, 100)")
    for app in "p16", "p16direct":
        bench.database.sql(f"call fixtures.state('{app}', 1, 10)")
    bench.database.settle()
    check(bench)
    prepare, execute = scripts(bench)
    check_rows(bench, prepare, execute)
    # Each client of pgbench prepares once
    script = f"\\if :first\n{prepare}\\set first 0\n\\endif\n\\set s random(1, {SESSIONS})\n{execute}"
    http(bench, bench.warm_up)
    service, direct = compare(lambda: http(bench, bench.seconds), lambda: pgbench(bench, script), bench.rounds)
    bench.add(row("P16", f"reads/s of a session with its newest {RECENT} events, {CLIENTS} clients: service ÷ pgbench",
                  [load.rate for load in service], [load.rate for load in direct], "/s", at_least=0.5))


def http(bench, seconds):
    return wrk(bench.service, "read", "p16", USERS, SESSIONS, clients=CLIENTS, seconds=seconds)


def pgbench(bench, script):
    return run_pgbench(bench.database, script, CLIENTS, bench.seconds, ["-M", "simple", "-D", "first=1"], OPTIONS)


def check(bench):
    for number in 1, SESSIONS // 2, SESSIONS:
        session = bench.service.json(f"{path(number)}")
        if [event["id"] for event in session["events"]] != [f"e{seq}" for seq in range(EVENTS - RECENT + 1, EVENTS + 1)]:
            raise AssertionError(f"s{number}: not the newest {RECENT} events")


def path(number):
    return f"/apps/p16/users/u{number % USERS}/sessions/s{number}?numRecentEvents={RECENT}"


def scripts(bench):
    """What prepares the statements of a read, and what executes them for the session :s of pgbench."""
    # The service remembers the key of a session that it has found by its names
    keys = bench.database.rows("select session_key, user_key, app_key, fixtures.key('p16direct', 'u'), "
                               "fixtures.key('p16direct') from sessions where app_name = 'p16' and id = 's1'")[0]
    replacements = {keys[0]: "lpad(to_hex(:s::int), 32, '0')", keys[1]: f"'{keys[3]}'", keys[2]: f"'{keys[4]}'"}
    # PostgreSQL plans a statement for a while with each of its parameters
    for _ in range(20):
        bench.service.json(path(1))
    sent = statements.of_request(bench.database, lambda: bench.service.json(path(1)), keys[0])
    if not sent:
        raise AssertionError("the service has read a session without a statement")
    prepare = "".join(statements.prepare(f"read{n}", statement) for n, (statement, _) in enumerate(sent))
    execute = "".join(statements.execute(bench.database, f"read{n}", statement, literals, replacements)
                      for n, (statement, literals) in enumerate(sent))
    return prepare, execute


def check_rows(bench, prepare, execute):
    """pgbench reads as much: the session, a key of state, the events."""
    rows = bench.database.psql("-c", prepare, *(part for line in execute.splitlines()
                                                for part in ("-c", line.replace(":s::", "7::")))).splitlines()
    if len(rows) != 2 + RECENT:
        raise AssertionError(f"{len(rows)} rows instead of {2 + RECENT}: {rows[:3]}")
