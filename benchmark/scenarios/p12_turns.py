"""P12: turns of 16 agents over HTTP, each the newest 20 events and four appends, against what frameworks bring along."""

from harness import peers
from harness.compare import compare, row
from harness.machine import Missing

AGENTS, EVENTS, APPENDS = 16, 40, 4


def measure(bench):
    bench.sessions("p12", AGENTS, events=EVENTS)
    bench.database.settle()
    check(bench)
    turns(bench, bench.warm_up)
    for peer in (peers.ADK_PYTHON, peers.ADK_TYPESCRIPT, peers.LANGGRAPH):
        try:
            against(bench, peer)
        except Missing as missing:
            bench.note(f"P12 without {peer.name}: missing {missing}")
    bench.check_histories("p12", fixed_times=False)


def check(bench):
    """What an agent reads."""
    events = bench.service.json("/apps/p12/users/u0/sessions/s1?numRecentEvents=20")["events"]
    if [event["id"] for event in events] != [f"e{seq}" for seq in range(EVENTS - 19, EVENTS + 1)]:
        raise AssertionError("not the newest 20 events")


def against(bench, peer):
    peer.command()
    service, other = compare(lambda: turns(bench), lambda: peer.measure(bench, "turn", AGENTS), bench.rounds)
    bench.add(row("P12", f"turns/s, {AGENTS} agents: service ÷ {peer.name}", [load.rate / APPENDS for load in service],
                  [load.rate / APPENDS for load in other], "/s", at_least=10))
    bench.add(row("P12", f"turn, p99: {peer.name} ÷ service", [load.p99 / 1000 for load in other],
                  [load.p99 / 1000 for load in service], "ms"))


def turns(bench, seconds=None):
    return bench.turns("p12", AGENTS, agents=AGENTS, seconds=seconds)
