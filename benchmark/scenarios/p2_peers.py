"""P2: appends of 16 writers over HTTP, against ADK's own DatabaseSessionService in process, on the same PostgreSQL."""

from harness import peers
from harness.compare import compare, row
from harness.machine import Missing

WRITERS = 16


def measure(bench):
    bench.sessions("p2", WRITERS)
    bench.database.settle()
    bench.appends("p2", WRITERS, clients=WRITERS, seconds=bench.warm_up)
    for peer in (peers.ADK_PYTHON, peers.ADK_TYPESCRIPT):
        try:
            against(bench, peer)
        except Missing as missing:
            bench.note(f"P2 without {peer.name}: missing {missing}")
    bench.check_histories("p2")


def against(bench, peer):
    peer.command()
    service, other = compare(lambda: bench.appends("p2", WRITERS, clients=WRITERS),
                             lambda: peer.measure(bench, "append", WRITERS), bench.rounds)
    bench.add(row("P2", f"appends/s, {WRITERS} writers: service ÷ {peer.name}", [load.rate for load in service],
                  [load.rate for load in other], "/s", at_least=20))
