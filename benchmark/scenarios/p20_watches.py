"""P20: appends while a thousand others are watched, what the watches take of processors and heap, and how late they show."""

import json
import re
import socket
import subprocess
import time

from harness.compare import absolute, compare, row

SESSIONS, WATCHES, CLIENTS = 10_000, 1000, 64


def measure(bench):
    bench.sessions("p20", SESSIONS, users=1000)
    bench.sessions("watched", WATCHES)
    bench.database.settle()
    appends(bench, bench.warm_up)
    watched, alone = compare(lambda: with_watches(bench), lambda: appends(bench).rate, bench.rounds)
    bench.add(row("P20", f"appends/s, {CLIENTS} clients: beside {WATCHES:,} idle watches ÷ alone", watched, alone, "/s",
                  at_least=0.97))
    bench.check_histories("p20")
    bench.add(absolute("P20", f"processor time of {WATCHES:,} idle watches, service and PostgreSQL", idle(bench), "ms/s"))
    bench.add(absolute("P20", f"heap of {WATCHES:,} idle watches, each", [heap(bench) for _ in range(bench.rounds)], "KB",
                       at_most=64))
    replica = bench.replica()
    try:
        replica.start()
        bench.add(absolute("P20", "an append until its own replica shows it, p99", [delay(bench.service, bench.service)], "ms"))
        bench.add(absolute("P20", "an append until another replica shows it, p99", [delay(bench.service, replica)], "ms",
                           at_most=500))
    finally:
        replica.stop()


def appends(bench, seconds=None):
    return bench.appends("p20", SESSIONS, users=1000, clients=CLIENTS, seconds=seconds)


def with_watches(bench):
    with Watches(bench.service, range(1, WATCHES + 1)):
        return appends(bench).rate


def idle(bench):
    """Milliseconds of processors for each second in which nothing happens, again and again."""
    with Watches(bench.service, range(1, WATCHES + 1)):
        return [1000 * spent(bench, bench.seconds) / bench.seconds for _ in range(bench.rounds)]


def spent(bench, seconds):
    before = sum(bench.cpu_seconds())
    time.sleep(seconds)
    return sum(bench.cpu_seconds()) - before


def heap(bench):
    """Kilobytes for each watch, of what is still there when all else has been collected."""
    with Watches(bench.service, [1]):
        before = live_bytes(bench.service)
        with Watches(bench.service, range(1, WATCHES + 1)):
            return (live_bytes(bench.service) - before) / WATCHES / 1024


def live_bytes(service):
    histogram = subprocess.run([f"{service.java_home}/bin/jcmd", str(service.process.pid), "GC.class_histogram"],
                               capture_output=True, text=True, check=True).stdout
    return int(re.search(r"^Total\s+\d+\s+(\d+)", histogram, re.MULTILINE)[1])


def delay(writer, reader, events=200):
    """Milliseconds, at most those of 99 in 100, each after a pause of another length."""
    path = "/apps/watched/users/u0/sessions/s1"
    delays = []
    with Watches(reader, [1]) as watches:
        stream = watches.connections[0]
        for number in range(events):
            time.sleep(0.01 + number % 50 / 100)
            append(writer, path)
            stored = time.monotonic()
            read_until(stream, b"\n\n", b"id: ")
            delays.append(1000 * (time.monotonic() - stored))
    return sorted(delays)[events * 99 // 100 - 1]


def append(service, path):
    body = json.dumps({"author": "agent"}).encode()
    with socket.create_connection(("127.0.0.1", service.port), timeout=60) as connection:
        connection.sendall(f"POST {path}/events HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: "
                           f"application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
        if b" 200 " not in connection.recv(65536):
            raise AssertionError("not appended")


class Watches:
    """Clients that watch sessions of the app, and only wait."""

    def __init__(self, service, sessions):
        self.service = service
        self.sessions = sessions
        self.connections = []

    def __enter__(self):
        for number in self.sessions:
            connection = socket.create_connection(("127.0.0.1", self.service.port), timeout=60)
            self.connections.append(connection)
            connection.sendall(f"GET /apps/watched/users/u0/sessions/s{number}/events:watch HTTP/1.1\r\n"
                               "Host: localhost\r\n\r\n".encode())
        for connection in self.connections:
            if not read_until(connection, b"\n\n", b"retry: ").startswith(b"HTTP/1.1 200"):
                raise AssertionError("not watched")
        return self

    def __exit__(self, *_):
        for connection in self.connections:
            connection.close()
        time.sleep(1)


def read_until(connection, end, beginning=b""):
    """What comes until an end that follows a beginning."""
    text = b""
    while end not in text[max(0, text.find(beginning)):] or beginning not in text:
        piece = connection.recv(65536)
        if not piece:
            raise AssertionError("the stream has ended")
        text += piece
    return text
