"""P2: appends of 16 writers over HTTP, against ADK's own DatabaseSessionService in process, on the same PostgreSQL."""

from harness import peers
from harness.compare import compare, row
from harness.machine import Missing

WRITERS = 16
PEERS = (("Python", "python", "postgresql+asyncpg", peers.python),
         ("TypeScript", "typescript", "postgresql", peers.typescript))


def measure(bench):
    bench.sessions("p2", WRITERS)
    bench.database.settle()
    bench.appends("p2", WRITERS, clients=WRITERS, seconds=bench.warm_up)
    for language, name, scheme, command in PEERS:
        try:
            against(bench, language, name, scheme, command())
        except Missing as missing:
            bench.note(f"P2 without ADK {language}: missing {missing}")
    bench.check_histories("p2")


def against(bench, language, name, scheme, command):
    service, peer = compare(lambda: bench.appends("p2", WRITERS, clients=WRITERS),
                            lambda: append(bench, name, scheme, command), bench.rounds)
    bench.add(row("P2", f"appends/s, {WRITERS} writers: service ÷ ADK {language}'s DatabaseSessionService",
                  [load.rate for load in service], [load.rate for load in peer], "/s", at_least=20))


def append(bench, name, scheme, command):
    """On an empty database each time, because the peer becomes slower with what it has stored."""
    bench.database.sql(f"drop database if exists peer_{name}", database="postgres")
    bench.database.create(f"peer_{name}")
    bench.database.sql("checkpoint")
    load = peers.append(command, bench.database.url(scheme, f"peer_{name}"), WRITERS, bench.seconds)
    stored = int(bench.database.sql("select count(*) from events", database=f"peer_{name}"))
    if stored < load.done:
        raise AssertionError(f"ADK {name} says it stored {load.done} events, but there are {stored}")
    return load
