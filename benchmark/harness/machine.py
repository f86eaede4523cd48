"""What this machine has: programs, processors, CPU time of processes."""

import glob
import os
import platform
import re
import shutil
import socket
import subprocess
import sys

TICKS = os.sysconf("SC_CLK_TCK")


class Missing(Exception):
    """Something has to be installed first."""


def program(name, package):
    found = shutil.which(name)
    if not found:
        raise Missing(f"{name} (Debian and Ubuntu: apt-get install {package})")
    return found


def postgres_binaries():
    """The newest PostgreSQL with a server and pgbench."""
    homes = [os.environ.get("POSTGRES_BIN", "")] + sorted(
        glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: float(path.split("/")[4]), reverse=True)
    for home in homes:
        if all(os.access(f"{home}/{name}", os.X_OK) for name in ("postgres", "initdb", "pgbench", "psql")):
            return home
    raise Missing("PostgreSQL 15 or newer with pgbench (apt-get install postgresql postgresql-contrib; or name its folder"
                  " of programs in POSTGRES_BIN)")


def java_home(version):
    """A JDK of this version, or the one of JAVA_HOME or of the path."""
    homes = [os.environ.get("JAVA_HOME", "")] + sorted(glob.glob("/usr/lib/jvm/*") + glob.glob("/opt/*jdk*"))
    with_versions = {home: java_version(home) for home in homes if os.access(f"{home}/bin/javac", os.X_OK)}
    for home, found in with_versions.items():
        if found == version:
            return home
    if with_versions:
        home, found = next(iter(with_versions.items()))
        print(f"No JDK {version} in JAVA_HOME or /usr/lib/jvm: measuring with JDK {found}", file=sys.stderr)
        return home
    raise Missing(f"a JDK {version} (set JAVA_HOME)")


def java_version(home):
    output = subprocess.run([f"{home}/bin/java", "-version"], capture_output=True, text=True).stderr
    found = re.search(r'version "(\d+)', output)
    return int(found[1]) if found else 0


def description(folder):
    """One line about the machine, and the disk of this folder if there is one, for the heading of the table."""
    with open("/proc/cpuinfo") as cpuinfo:
        model = re.search(r"model name\s*: (.*)", cpuinfo.read())
    with open("/proc/meminfo") as meminfo:
        gigabytes = round(int(re.search(r"MemTotal:\s+(\d+)", meminfo.read())[1]) / 2**20)
    return (f"{len(os.sched_getaffinity(0))} × {model[1] if model else platform.machine()}, {gigabytes} GB, "
            f"database {'on ' + file_system(folder) if folder else 'given'}, Linux {platform.release()}")


def file_system(folder):
    return subprocess.run(["df", "--output=fstype", folder], capture_output=True, text=True).stdout.split()[-1]


def free_port():
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        return bound.getsockname()[1]


def cpu_seconds(pid, with_ended_children=False):
    """User and system seconds of a process."""
    with open(f"/proc/{pid}/stat") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    user, system, children_user, children_system = (int(field) / TICKS for field in fields[11:15])
    return (user + children_user, system + children_system) if with_ended_children else (user, system)


def cpu_seconds_if_running(pid):
    """User and system seconds together, none of a process that has ended."""
    try:
        return sum(cpu_seconds(pid))
    except (FileNotFoundError, ProcessLookupError):
        return 0


def children(pid):
    with open(f"/proc/{pid}/task/{pid}/children") as pids:
        return pids.read().split()


def megabytes(pid):
    """Memory of a process, of which what it shares with others counts in parts (PSS); none of one that has ended."""
    try:
        with open(f"/proc/{pid}/smaps_rollup") as rollup:
            return int(re.search(r"^Pss:\s+(\d+)", rollup.read(), re.MULTILINE)[1]) / 1024
    except (FileNotFoundError, ProcessLookupError):
        return 0


def drop_caches():
    """Empties the operating system's cache of files. Answers whether it may be done."""
    os.sync()
    try:
        with open("/proc/sys/vm/drop_caches", "w") as caches:
            caches.write("3")
        return True
    except OSError:
        return False
