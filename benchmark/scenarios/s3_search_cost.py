"""S3 to S7: what a search costs, what appends cost beside it, and how large the index is.

10,000 users have 100 events of 33 words each, 20 users have 10,000, and 20 others have 2,000. The words are made up.
Common ones are far more frequent than rare ones, as in real texts.
"""

import http.client
import json
import random
import time
from statistics import median
from urllib.parse import quote

from harness.compare import absolute, compare, row

ONLY_IF_NAMED = True
USERS, MANY = 10_000, 20
SEARCHES = 500
WORDS = 33
VOCABULARY = 20_000
OFF = ["--agent-sessions.search.apps="]


def measure(bench):
    bench.database.sql(f"call fixtures.said('s3', {USERS}, {5 * USERS}, 20, {WORDS}, {VOCABULARY})")
    bench.database.sql(f"call fixtures.said('s5', {MANY}, {100 * MANY}, 100, {WORDS}, {VOCABULARY})")
    bench.database.sql(f"call fixtures.said('s6', {MANY}, {20 * MANY}, 100, {WORDS}, {VOCABULARY})")
    bench.database.settle()
    first_searches(bench)
    for app in ("s3", "s5"):
        index(bench, app)
    bench.database.settle()
    searches(bench, "s3", USERS, SEARCHES)
    cost, pages, latency = searches(bench, "s3", USERS, SEARCHES)
    bench.add(absolute("S4", "search of 100 of 1,000,000 events: processor time of PostgreSQL", [cost], "ms", at_most=3))
    bench.add(absolute("S4", "search of 100 of 1,000,000 events, p50", [latency], "ms", at_most=15))
    bench.add(absolute("S4", "search of 100 of 1,000,000 events: pages", [pages], "", at_most=40))
    cost, _, latency = searches(bench, "s5", MANY, 5 * MANY)
    bench.add(absolute("S5", "search of 10,000 events: processor time of PostgreSQL", [cost], "ms", at_most=120))
    bench.add(absolute("S5", "search of 10,000 events, p50", [latency], "ms"))
    size = bench.database.number("select pg_total_relation_size('said') / (select count(*) from said)")
    bench.add(absolute("S7", f"index of an event of {WORDS} words, table and key", [size], "bytes", at_most=600))
    appends(bench)


def first_searches(bench):
    """Of users with 2,000 events that no search has seen."""
    seconds, costs = [], []
    for user in range(MANY):
        before, begin = sum(bench.cpu_seconds()), time.monotonic()
        search(bench.service, "s6", user)
        seconds.append(time.monotonic() - begin)
        costs.append(sum(bench.cpu_seconds()) - before)
    before = sum(bench.cpu_seconds())
    for user in range(MANY):
        search(bench.service, "s6", user)
    indexed = (sum(bench.cpu_seconds()) - before) / MANY
    bench.add(absolute("S6", "first search of 2,000 events", seconds[1:], "s", at_most=1))
    bench.add(absolute("S6", "each event that a search indexes: processor time of the service and PostgreSQL",
                       [1000 * (cost - indexed) / 2000 for cost in costs[1:]], "ms", at_most=0.2))


def index(bench, app):
    token = ""
    while token is not None:
        token = bench.service.post(f"/apps/{app}:reindex" + (f"?pageToken={quote(token)}" if token else ""),
                                   {}).get("nextPageToken")


def searches(bench, app, users, number):
    """Milliseconds of PostgreSQL's processor time and pages of a search, and the median of its milliseconds."""
    choices = random.Random(1)
    pages, cost, times = pages_read(bench), bench.database.cpu_seconds(), []
    for _ in range(number):
        begin = time.monotonic()
        search(bench.service, app, choices.randrange(users), choices)
        times.append(time.monotonic() - begin)
    cost = bench.database.cpu_seconds() - cost
    return 1000 * cost / number, (pages_read(bench) - pages) / number, 1000 * median(times)


def pages_read(bench):
    """PostgreSQL adds up what its processes have counted once a second."""
    time.sleep(2)
    return bench.database.number("select blks_hit + blks_read from pg_stat_database where datname = 'bench'")


def search(service, app, user, choices=random.Random(2)):
    """Searches for six common words and two rare ones, until all events are indexed."""
    words = [word(int(VOCABULARY * choices.random() ** (4 if place < 6 else 1))) for place in range(8)]
    connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=60)
    complete = False
    while not complete:
        connection.request("GET", f"/apps/{app}/users/u{user}/events:search?mode=text&q={quote(' '.join(words))}")
        answer = connection.getresponse()
        body = answer.read()
        if answer.status != 200:
            raise AssertionError(f"{answer.status} {body}")
        complete = json.loads(body)["complete"]
    connection.close()


def word(number):
    """As fixtures.said makes them."""
    return "x" + str(number).translate(str.maketrans("0123456789", "abcdefghij"))


def appends(bench):
    """To a service with search and to one without; no search runs."""
    bench.sessions("s3appends", 10_000, users=1000)
    bench.database.settle()
    without = bench.replica(settings=OFF)
    try:
        without.start()
        for service in (bench.service, without):
            append(bench, service, bench.warm_up)
        on, off = compare(lambda: append(bench, bench.service), lambda: append(bench, without), bench.rounds)
    finally:
        without.stop()
    bench.add(row("S3", "appends/s, 64 clients: with search ÷ without", on, off, "/s", at_least=0.97))


def append(bench, service, seconds=None):
    return bench.appends("s3appends", 10_000, users=1000, clients=64, seconds=seconds, service=service).rate
