"""What ADK's own content builder makes of a context read is what it makes of the full history.

Usage: context_view.py [seed [histories]], or as one of the cases of conformance.py.
"""

import inspect
import json
import logging
import os
import random
import sys
import urllib.request
import uuid

from google.adk.agents import LlmAgent
from google.adk.apps import compaction
from google.adk.apps.app import App, EventsCompactionConfig
from google.adk.apps.base_events_summarizer import BaseEventsSummarizer
from google.adk.events import Event, EventActions
from google.adk.events.event_actions import EventCompaction
from google.adk.flows.llm_flows import contents
from google.adk.sessions import Session
from google.genai import types

URL = os.environ["AGENT_SESSIONS_URL"]
KEY = os.environ.get("AGENT_SESSIONS_API_KEY")
logging.getLogger("google_adk").setLevel(logging.ERROR)  # it warns of each call that nobody has answered
SCOPES = "isolation_scope" in inspect.signature(contents._get_contents).parameters  # not in ADK 1


class History:
    """Turns with calls of functions, one at a time and in parallel, answered at once, by a user later, twice or never;
    rewinds, also of rewinds; and summaries that lie in each other, overlap, are equal, come late, and are rewound."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.events, self.waiting, self.ranges = [], [], []
        self.called = ["none"]  # since the last rewind: what is named after a call goes with it
        self.calls = self.invocations = 0
        self.now = 1767225600.0

    def of(self, length):
        actions = [self.turn] * 5 + [self.summary] * 2 + [self.answer] * 2 + [self.rewind, self.branch, self.again]
        while len(self.events) < length:
            self.random.choice(actions)()
        self.invocations += 1
        self.add("user", [{"text": "And now?"}])
        return self.events

    def add(self, author, parts=None, actions=None, **fields):
        self.now += self.random.choice([0, 0.25, 0.000001, 1, 1.5])
        late = self.random.random() < 0.08
        event = {"id": f"e{len(self.events)}", "author": author, "invocationId": f"i{self.invocations}",
                 "timestamp": self.now - self.random.random() * 20 if late else self.now, "actions": actions or {}, **fields}
        if parts:
            event["content"] = {"role": "user" if author == "user" else "model", "parts": parts}
        self.events.append(event)

    def turn(self):
        self.invocations += 1
        agent = self.random.choice(["agent", "agent", "helper"])
        self.add("user", [{"text": f"question {len(self.events)}"}])
        for _ in range(self.random.randrange(3)):
            self.call(agent)
        self.add(agent, [{"text": f"answer {len(self.events)}"}])

    def call(self, agent):
        long_running = self.random.random() < 0.3
        ids = [self.id(long_running) for _ in range(self.random.choice([1, 1, 2, 3]))]
        parts = [{"functionCall": {"id": id, "name": "search", "args": {"n": len(self.events)}}} for id in ids]
        if self.random.random() < 0.2:
            parts.insert(0, {"text": "I will look."})
        self.add(agent, parts, **({"longRunningToolIds": ids} if long_running else {}))
        if long_running:
            self.waiting += ids
        if not long_running or self.random.random() < 0.5:
            self.respond(agent, ids)

    def id(self, long_running):
        """Some models use an id again."""
        self.calls += 1
        id = f"call-{self.calls}" if long_running or self.random.random() < 0.8 else "call"
        self.called += [id] if id != "call" else []  # ADK names a task after the first call of an id
        return id

    def respond(self, author, ids):
        answered = [id for id in ids if self.random.random() < 0.9]
        groups = [answered] if self.random.random() < 0.5 else [[id] for id in answered]
        for group in groups:
            if group:
                self.add(author, [{"functionResponse": {"id": id, "name": "search", "response": {"n": len(self.events)}}}
                                  for id in group])

    def answer(self):
        if self.waiting:
            self.respond("user", [self.random.choice(self.waiting)])

    def again(self):
        if self.waiting:
            self.respond("agent", [self.random.choice(self.waiting)])

    def branch(self):
        """Of an agent of its own, of a tool, and of a task that has a history of its own."""
        kind = self.random.randrange(4)
        name = self.random.choice(self.called)
        fields = [{"branch": "root.helper"}, {"branch": f"root.search@{name}"}, {"isolationScope": name}, {}][kind]
        self.add(self.random.choice(["agent", "helper"]), [{"text": f"aside {len(self.events)}"}], **fields)
        if kind == 2 and self.random.random() < 0.3:
            self.compact(self.now - 5, self.now, isolationScope=name)

    def rewind(self):
        if self.random.random() < 0.5:
            self.called = ["none"]
            self.add("user", actions={"rewindBeforeInvocationId": f"i{self.random.randrange(self.invocations + 2)}"})

    def summary(self):
        if not self.events:
            return
        start, end = sorted(self.random.choice(self.events)["timestamp"] for _ in range(2))
        if self.ranges and self.random.random() < 0.4:
            other = self.random.choice(self.ranges)
            start, end = self.random.choice([other, (min(start, other[0]), other[1]), (other[0], max(end, other[1]))])
        self.compact(start, end)

    def compact(self, start, end, **fields):
        self.ranges.append((start, end))
        content = {"role": "model", "parts": [{"text": f"summary {len(self.events)}"}]}
        self.add("user", actions={"compaction": {"startTimestamp": start, "endTimestamp": end, "compactedContent": content}},
                 **fields)


def call(method, path, body=None):
    headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {KEY}"} if KEY else {})}
    request = urllib.request.Request(URL + path, body and json.dumps(body).encode(), headers, method=method)
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


def prompts(events):
    """What each of several agents would be shown."""
    known = [Event.model_validate(event) for event in events]
    scopes = [None, *sorted({event.isolation_scope for event in known if event.isolation_scope})] if SCOPES else [None]
    viewers = [(scope, branch, agent) for scope in scopes
               for branch, agent in ((None, "agent"), ("root.helper", "helper"), (None, ""))]
    return {viewer: prompt(known, *viewer) for viewer in viewers}


def prompt(events, scope, branch, agent):
    try:
        options = {"isolation_scope": scope} if scope else {}
        return [content.model_dump(exclude_none=True) for content in contents._get_contents(branch, events, agent, **options)]
    except ValueError as error:  # ADK 1 refuses an answer whose call is missing
        return type(error).__name__


def check(seed):
    events = History(seed).of(60)
    path = f"/apps/context-{uuid.uuid4()}/users/alice/sessions/s1"
    call("POST", path)
    left = None
    for at in range(0, len(events), 20):
        call("POST", path + "/events:batch", {"events": events[at:at + 20]})
        full, left = (call("GET", f"{path}?view={view}")["events"] for view in ("full", "context"))
        if at + 20 >= len(events):
            expected, actual = prompts(full), prompts(left)
            for viewer, wanted in expected.items():
                if viewer in actual:
                    assert actual[viewer] == wanted, f"seed {seed}, {viewer}: {actual[viewer]} is not {wanted}"
    return len(events), len(left)


async def makes_the_same_prompt_of_a_context_read(first=1, histories=40):
    sizes = [check(seed) for seed in range(first, first + histories)]
    assert sum(left for _, left in sizes) < 0.8 * sum(all for all, _ in sizes), "hardly anything was left out"


class Summarizer(BaseEventsSummarizer):
    """Remembers the turns that it was to sum up."""

    async def maybe_summarize_events(self, *, events):
        self.turns = list(dict.fromkeys(event.invocation_id for event in events))
        summary = types.Content(role="model", parts=[types.Part(text="What was said: " + " ".join(self.turns))])
        times = EventCompaction(start_timestamp=events[0].timestamp, end_timestamp=events[-1].timestamp, compacted_content=summary)
        return Event(author="user", invocation_id=Event.new_id(), actions=EventActions(compaction=times))


async def summed_up(view, overlap):
    """The turns of each summary of a conversation whose process reads one of the views."""
    path = f"/apps/overlap-{uuid.uuid4()}/users/alice/sessions/s1"
    call("POST", path)
    summarizer, windows = Summarizer(), []
    app = App(name="overlap", root_agent=LlmAgent(name="agent"), events_compaction_config=EventsCompactionConfig(
        summarizer=summarizer, compaction_interval=2, overlap_size=overlap))
    for turn in range(6):
        for number, author in enumerate(["user", "agent"]):
            call("POST", path + "/events", {"author": author, "invocationId": f"q{turn}", "timestamp": 1767225600 + 10 * turn + number,
                                            "content": {"role": "user", "parts": [{"text": "a long text " * 50}]}})
        events = [Event.model_validate(event) for event in call("GET", f"{path}?view={view}")["events"]]
        session = Session(id="s1", app_name="overlap", user_id="alice", events=events)
        async for summary in compaction._run_compaction_for_sliding_window(app, session, None):
            windows.append(summarizer.turns)
            call("POST", path + "/events", summary.model_dump(mode="json", by_alias=True, exclude_none=True))
    return windows


async def sums_up_the_same_without_an_overlap():
    """With an overlap, an app has to read the full view, and docs/reference.md says so."""
    if not inspect.isasyncgenfunction(compaction._run_compaction_for_sliding_window):
        return  # ADK 1 stores the summary itself
    assert await summed_up("context", 0) == await summed_up("full", 0) == [["q0", "q1"], ["q2", "q3"], ["q4", "q5"]]
    assert await summed_up("full", 1) == [["q0", "q1"], ["q1", "q2", "q3"], ["q3", "q4", "q5"]]
    assert await summed_up("context", 1) == [["q0", "q1"], ["q2", "q3"], ["q4", "q5"]]


if __name__ == "__main__":
    import asyncio

    asyncio.run(makes_the_same_prompt_of_a_context_read(*map(int, sys.argv[1:])))
