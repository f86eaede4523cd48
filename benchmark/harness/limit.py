"""Keeps a process to a share of one processor, without asking for more than the right to send it signals."""

import os
import signal
import threading
import time

PERIOD = 0.02


class CpuLimit:
    """Stops the process for the rest of each 20 ms in which it has had its share."""

    def __init__(self, pid, share):
        self.pid = pid
        self.share = share
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.keep)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.thread.join()

    def keep(self):
        begin, used = time.monotonic(), self.cpu_seconds()
        while not self.ended.wait(PERIOD / 10):
            over = (self.cpu_seconds() - used) / self.share - (time.monotonic() - begin)
            if over > 0:
                os.kill(self.pid, signal.SIGSTOP)
                self.ended.wait(over)
                os.kill(self.pid, signal.SIGCONT)
            elif over < -PERIOD:
                # What it has not used does not count for later
                begin, used = time.monotonic(), self.cpu_seconds()

    def cpu_seconds(self):
        # The clock of another process, as clock_getcpuclockid() makes its id
        return time.clock_gettime(~self.pid << 3 | 2)
