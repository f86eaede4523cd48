#!/usr/bin/env python3
"""Checks that events lose exactly the fields that docs/clients.md lists, from each language to each other one.

    matrix.py java python ...     these languages, if they have a program in this folder

Each program writes a session with all fields of its ADK, and copies the sessions of all others through the client of its
language. AGENT_SESSIONS_URL and AGENT_SESSIONS_API_KEY say where a service runs.
"""

import base64
import binascii
import concurrent.futures
import datetime
import itertools
import json
import os
import re
import subprocess
import sys
import urllib.request
import uuid
from pathlib import Path

HERE = Path(__file__).resolve().parent
PAGE = HERE.parents[1] / "docs" / "clients.md"
HEADING = "## Fields that are lost"
# The columns of the table, and how a program is started in its folder
PROGRAMS = {
    "Python": [sys.executable, "-W", "ignore", "adk.py"],
    "TypeScript": ["node", "adk.mjs"],
    "Java": ["./run"],
    "Go": ["go", "run", "."],
    "Rust": ["cargo", "run", "-q", "-j1", "--"],
}
# Each value within these has a meaning. Elsewhere an absent field is the same as null, false, 0 or an empty value.
ANY = re.compile(r"\.(stateDelta|args|response|customMetadata)\.")
URL = os.environ["AGENT_SESSIONS_URL"]
RUN = uuid.uuid4().hex[:8]


def main(names: list[str]) -> int:
    languages = [name for name in PROGRAMS if name.lower() in names and (HERE / name.lower()).is_dir()]
    for name in languages:  # one after the other, as the first start may compile
        start(name, "write", f"{RUN}-{name}")
    pairs = list(itertools.product(languages, languages))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda pair: start(pair[1], "copy", f"{RUN}-{pair[0]}", f"{RUN}-{pair[0]}-{pair[1]}"), pairs))
    written = {name: read(f"{RUN}-{name}") for name in languages}
    found = {(writer, reader): lost_events(written[writer], read(f"{RUN}-{writer}-{reader}")) for writer, reader in pairs}
    listed = table(PAGE.read_text())
    wrong = {pair: difference for pair in pairs if (difference := found[pair] ^ expected(listed, pair, written[pair[0]]))}
    for (writer, reader), difference in wrong.items():
        print(f"matrix: from {writer} to {reader} the page is wrong about {', '.join(sorted(difference))}")
    if wrong:
        print(f"The table of {PAGE.name} has to be:\n{rows(found, written)}")
    print(f"matrix: {len(pairs) - len(wrong)} passed, {len(wrong)} failed ({' '.join(languages)})")
    return 1 if wrong else 0


def expected(listed: dict, pair: tuple[str, str], written: list[dict]) -> set[str]:
    return {path for path, lost_by in listed.items() if pair in lost_by and has(written, path)}


def start(language: str, *arguments: str) -> None:
    subprocess.run([*PROGRAMS[language], *arguments], cwd=HERE / language.lower(), check=True, timeout=600)


def read(session: str) -> list[dict]:
    headers = {"Authorization": f"Bearer {os.environ.get('AGENT_SESSIONS_API_KEY', '')}"}
    request = urllib.request.Request(f"{URL}/apps/matrix/users/u/sessions/{session}", headers=headers)
    with urllib.request.urlopen(request, timeout=60) as response:
        return json.load(response)["events"]


def lost_events(sent: list[dict], copied: list[dict]) -> set[str]:
    assert [event["id"] for event in sent] == [event["id"] for event in copied]
    return {path for one, other in zip(sent, copied) for path in lost(one, other, "")}


def lost(one, other, path: str) -> set[str]:
    """The paths of what the first value has, and the second has not or has differently."""
    if same(one, other) or (is_nothing(one) and is_nothing(other) and not ANY.search(f".{path}")):
        return set()
    if isinstance(one, dict) and isinstance(other, dict):
        return {each for name, value in one.items() for each in lost(value, other.get(name), f"{path}.{name}".strip("."))}
    if isinstance(one, list) and isinstance(other, list):
        return fewest_lost(one, other, f"{path}[]")
    return {path}


def fewest_lost(items: list, others: list, path: str) -> set[str]:
    """What is lost of the items of an array. Its copy may have fewer items, in the same order."""
    if len(items) <= len(others):
        return set().union(*(lost(item, other, path) for item, other in zip(items, others)))
    choices = itertools.combinations(range(len(items)), len(others))
    return min((lost_but(dict(zip(chosen, others)), items, path) for chosen in choices), key=len)


def lost_but(copies: dict, items: list, path: str) -> set[str]:
    return set().union(*(lost(item, copies[index], path) if index in copies else fields(item, path)
                         for index, item in enumerate(items)))


def fields(item, path: str) -> set[str]:
    return {f"{path}.{name}" for name in item} if isinstance(item, dict) else {path}


def is_nothing(value) -> bool:
    return not value or (isinstance(value, (dict, list)) and all(map(is_nothing, value.values() if isinstance(value, dict) else value)))


def same(one, other) -> bool:
    if one == other and isinstance(one, bool) == isinstance(other, bool):
        return True
    if isinstance(one, str) and isinstance(other, str) and decoded(one) is not None:
        return decoded(one) == decoded(other)
    return moment(one) is not None and moment(one) == moment(other)


def decoded(text: str) -> bytes | None:
    try:
        return base64.b64decode(text.rstrip("=").translate(str.maketrans("-_", "+/")) + "=" * (-len(text.rstrip("=")) % 4), validate=True)
    except binascii.Error:
        return None


def moment(value) -> float | None:
    """The seconds of a number, also of one in a text as 64 bits have it, or of a time in RFC 3339."""
    try:
        return round(float(value), 6)
    except (TypeError, ValueError):
        pass
    try:
        return round(datetime.datetime.fromisoformat(re.sub(r"(\.\d{6})\d*", r"\1", value)).timestamp(), 6)
    except (TypeError, ValueError):
        return None


def has(value, path: str) -> bool:
    """Whether a value has something at a path."""
    if isinstance(value, list):
        return any(has(item, path) for item in value)
    step, _, rest = path.partition(".")
    inner = value.get(step.removesuffix("[]")) if isinstance(value, dict) else None
    return has(inner, rest) if rest else inner is not None


def table(page: str) -> dict[str, set[tuple[str, str]]]:
    """The pairs of writer and reader between which each path is lost."""
    section = page.split(f"{HEADING}\n")[1].split("\n## ")[0]
    listed = {}
    for paths_of_row, *cells in re.findall(r"^\| (`.*?) \|" + r" (.*?) \|" * len(PROGRAMS) + "$", section, re.MULTILINE):
        pairs = {(writer, reader) for reader, cell in zip(PROGRAMS, cells) for writer in writers(cell)}
        listed.update({path: pairs for path in re.findall("`(.*?)`", paths_of_row)})
    return listed


def writers(cell: str) -> list[str]:
    if not cell.startswith("lost"):
        return []
    return re.findall(r"\w+", cell.removeprefix("lost of")) if " of " in cell else list(PROGRAMS)


def rows(found: dict, written: dict) -> str:
    """The rows of the table, each with all paths of one part of events that the same languages lose."""
    cells = {}
    for path in sorted(set().union(*found.values())):
        having = [name for name in written if has(written[name], path)]
        row = []
        for reader in PROGRAMS:
            of = [writer for writer in having if path in found.get((writer, reader), ())]
            row.append("" if not of else "lost" if of == having else f"lost of {', '.join(of)}")
        cells.setdefault((path.split(".")[0] if "." in path else "", *row), []).append(f"`{path}`")
    return "\n".join(f"| {', '.join(paths)} | {' | '.join(row)} |" for (_, *row), paths in sorted(cells.items()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
