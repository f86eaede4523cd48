"""The program as it is installed: with the cache that it makes for its JVM."""

import os
import shutil
import subprocess


def with_cache(bench):
    """The jar of a copy of the program, and the options of a JVM that uses the copy's cache."""
    folder = f"{bench.folder}/app"
    if not os.path.exists(folder):
        os.mkdir(folder)
        built = os.path.dirname(bench.jar)
        for name in ("lib", "embedded"):
            shutil.copytree(f"{built}/{name}", f"{folder}/{name}")
        for name in ("agent-sessions", "agent-sessions.jar"):
            shutil.copy(f"{built}/{name}", folder)
        done = subprocess.run([f"{folder}/agent-sessions", "--make-cache"], capture_output=True, text=True,
                              env={**os.environ, "JAVA_HOME": bench.java_home, "JAVA_TOOL_OPTIONS": "-XX:+UseSerialGC"})
        if done.returncode != 0:
            raise RuntimeError(done.stdout + done.stderr)
    return f"{folder}/agent-sessions.jar", [f"-XX:AOTCache={folder}/agent-sessions.aot"]
