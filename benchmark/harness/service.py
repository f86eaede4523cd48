"""The service as one process, with the memory that the targets allow."""

import json
import os
import subprocess
import time
import urllib.request

from harness import machine

# The collector is the one that the JVM takes by itself where a container has less than 1,792 MB.
MEMORY = ("-Xmx256m", "-XX:+UseSerialGC")


class Service:
    def __init__(self, java_home, jar, database, folder, options=(), settings=(), name="bench"):
        self.java_home = java_home
        self.port = machine.free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = f"{folder}/service-{self.port}.log"
        self.command = [f"{java_home}/bin/java", *MEMORY, *options, "-jar", jar, *settings]
        self.environment = {**os.environ, "SERVER_PORT": str(self.port), **database.settings(name)}
        self.process = None

    def start(self, folder=None):
        """Starts and waits until it is ready. Answers how many seconds that took."""
        begin = time.monotonic()
        with open(self.log, "w") as log:
            self.process = subprocess.Popen(self.command, env=self.environment, stdout=log, stderr=log, cwd=folder)
        while time.monotonic() < begin + 120 and self.process.poll() is None:
            if self.is_ready():
                return time.monotonic() - begin
            time.sleep(0.01)
        with open(self.log) as log:
            raise RuntimeError("The service does not start\n" + log.read()[-5000:])

    def is_ready(self):
        try:
            return self.get("/actuator/health/readiness").status == 200
        except OSError:
            return False

    def recover(self):
        """Waits until it works again with a database that was started anew."""
        # Connections that were idle for half a second are tried before they are used
        time.sleep(1)
        end = time.monotonic() + 60
        answered = 0
        while answered < 20:
            try:
                self.json("/apps/nobody/users/nobody/state")
                answered += 1
            except OSError:
                if time.monotonic() > end:
                    raise
                answered = 0
                time.sleep(0.2)

    def stop(self):
        if self.process:
            self.process.terminate()
            self.process.wait(60)

    def get(self, path):
        return urllib.request.urlopen(self.url + path, timeout=60)

    def json(self, path):
        with self.get(path) as answer:
            return json.load(answer)

    def post(self, path, body):
        request = urllib.request.Request(self.url + path, json.dumps(body).encode(), {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)

    def delete(self, path):
        urllib.request.urlopen(urllib.request.Request(self.url + path, method="DELETE"), timeout=60).close()

    def cpu_seconds(self):
        return machine.cpu_seconds(self.process.pid)

    def memory(self):
        """Megabytes (PSS)."""
        return machine.megabytes(self.process.pid)
