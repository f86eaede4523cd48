"""P23: artifacts: uploads and downloads beside psql with the same chunks, saves beside appends, a fork, and the heap."""

import http.client
import json
import os
import threading
import time
import uuid

from harness.compare import absolute, compare, row
from harness.load import wrk
from scenarios.p20_watches import live_bytes

MEGABYTE = 1_000_000
CHUNK = 256 * 1024
CLIENTS, USERS, SESSIONS = 16, 1000, 10_000
TRANSFERS = 8
# The default limits are smaller than the files of this scenario
LIMITS = ["--agent-sessions.artifacts.max-size=200MB", "--agent-sessions.artifacts.session-quota=20GB",
          "--agent-sessions.artifacts.user-quota=20GB"]
# Bytes a second of a slow client, so that the heap is looked at while all transfers go on
SLOW = 10 * MEGABYTE


def measure(bench):
    bench.database.sql("create table if not exists chunks (blob uuid, number int, bytes bytea, primary key (blob, number));"
                       "alter table chunks alter bytes set storage external")
    bench.sessions("p23", SESSIONS, users=USERS)
    bench.database.settle()
    service = bench.replica(settings=LIMITS)
    try:
        service.start()
        measure_on(bench, service)
    finally:
        service.stop()
        bench.database.sql("drop table chunks")


def measure_on(bench, service):
    warm_up(bench, service)
    transfers(bench, service)
    saves(bench, service)
    bench.add(absolute("P23", "fork of a session with 1,000 artifacts of 1 MB", forks(bench, service), "s", at_most=1))
    bench.add(absolute("P23", f"heap of {TRANSFERS} uploads and {TRANSFERS} downloads of 100 MB at once",
                       [heap(bench, service) for _ in range(bench.rounds)], "MB", at_most=32))


def warm_up(bench, service):
    end = time.monotonic() + bench.warm_up
    while time.monotonic() < end:
        upload(service, new_file(10))
        save(bench, service, "artifact", 1)
        save(bench, service, "event", 1)


def transfers(bench, service):
    ours, theirs = compare(lambda: 1 / upload(service, new_file(10)), lambda: 1 / insert(bench, new_file(10)), bench.rounds)
    bench.add(row("P23", "upload of 10 MB ÷ the same chunks with psql", ours, theirs, "/s", at_least=0.5))
    content = new_file(100)
    upload(service, content)
    blob = bench.database.sql(f"select blob_key from artifact_blobs where size = {len(content)}")
    ours, theirs = compare(lambda: 1 / download(service, content), lambda: 1 / copy(bench, blob), bench.rounds)
    bench.add(row("P23", "download of 100 MB ÷ \\copy of its chunks", ours, theirs, "/s", at_least=0.5))


def saves(bench, service):
    ours, theirs = compare(lambda: save(bench, service, "artifact"), lambda: save(bench, service, "event"), bench.rounds)
    bench.add(row("P23", f"saves of 10 KB, {CLIENTS} clients ÷ appends of 10 KB", ours, theirs, "/s", at_least=0.5))


def save(bench, service, kind, seconds=None):
    bench.database.checkpoint()
    load = wrk(service, "save", "p23", USERS, SESSIONS, kind, clients=CLIENTS, seconds=seconds or bench.seconds)
    return load.rate


def new_file(megabytes):
    """No two are equal: equal bytes are stored once."""
    return os.urandom(1024) + bytes(megabytes * MEGABYTE - 1024)


def connect(service):
    return http.client.HTTPConnection("127.0.0.1", service.port, timeout=600)


def send(connection, method, path, body=None, headers=None):
    connection.request(method, f"/apps/p23/users/u0{path}", body, headers or {})
    response = connection.getresponse()
    content = response.read()
    if response.status >= 300:
        raise AssertionError(f"{method} {path}: {response.status} {content[:200]}")
    return content


def upload(service, content):
    """Seconds."""
    connection = connect(service)
    begin = time.monotonic()
    saved = send(connection, "PUT", "/artifacts/large", content)
    seconds = time.monotonic() - begin
    if json.loads(saved)["size"] != len(content):
        raise AssertionError(f"not saved as a whole: {saved}")
    return seconds


def download(service, content):
    connection = connect(service)
    begin = time.monotonic()
    loaded = send(connection, "GET", "/artifacts/large/versions/latest:content")
    seconds = time.monotonic() - begin
    if loaded != content:
        raise AssertionError("other bytes than were saved")
    return seconds


def insert(bench, content):
    """Seconds that psql takes for the same chunks, as one transaction each, as an upload has them."""
    blob = uuid.uuid4()
    path = f"{bench.folder}/chunks.sql"
    with open(path, "w") as file:
        for number, start in enumerate(range(0, len(content), CHUNK)):
            file.write(f"insert into chunks values ('{blob}', {number}, '\\x{content[start:start + CHUNK].hex()}');\n")
    os.chmod(bench.folder, 0o755)
    begin = time.monotonic()
    bench.database.psql("-f", path)
    return time.monotonic() - begin


def copy(bench, blob):
    begin = time.monotonic()
    bench.database.psql("-c", f"\\copy (select bytes from artifact_chunks where blob_key = '{blob}' order by number) "
                              "to '/dev/null'")
    return time.monotonic() - begin


def forks(bench, service):
    """Seconds of each. No bytes are copied."""
    connection, content = connect(service), new_file(1)
    body = {"Content-Type": "application/json"}
    send(connection, "POST", "/sessions", json.dumps({"sessionId": "many"}), body)
    for number in range(1000):
        send(connection, "PUT", f"/sessions/many/artifacts/f{number}", number.to_bytes(8, "big") + content)
    blobs = bench.database.number("select count(*) from artifact_blobs")
    seconds = []
    for number in range(bench.rounds):
        begin = time.monotonic()
        send(connection, "POST", "/sessions/many:fork", json.dumps({"sessionId": f"fork{number}"}), body)
        seconds.append(time.monotonic() - begin)
        if len(json.loads(send(connection, "GET", f"/sessions/fork{number}/artifacts"))) < 1000:
            raise AssertionError("not all artifacts are in the fork")
    if bench.database.number("select count(*) from artifact_blobs") != blobs:
        raise AssertionError("a fork has copied bytes")
    return seconds


def heap(bench, service):
    """Megabytes, of what is still there when all else has been collected."""
    before = live_bytes(service)
    threads = [threading.Thread(target=transfer, args=(service, number)) for number in range(2 * TRANSFERS)]
    for thread in threads:
        thread.start()
    time.sleep(3)
    during = live_bytes(service)
    for thread in threads:
        thread.join()
    return (during - before) / MEGABYTE


def transfer(service, number):
    connection = connect(service)
    if number < TRANSFERS:
        send(connection, "PUT", f"/artifacts/slow{number}", slowly(100 * MEGABYTE), {"Content-Length": str(100 * MEGABYTE)})
    else:
        connection.request("GET", "/apps/p23/users/u0/artifacts/large/versions/latest:content")
        response = connection.getresponse()
        while response.read(SLOW // 10):
            time.sleep(0.1)


def slowly(size):
    sent = 0
    while sent < size:
        time.sleep(0.1)
        part = os.urandom(8) + bytes(min(SLOW // 10, size - sent) - 8)
        sent += len(part)
        yield part
