"""S1: how much of what answers a question is among the first hits, on LoCoMo or LongMemEval, beside ADK Python's services.

Recall at k is the share of the turns that answer a question among the first k hits, as a mean over questions. MRR is the
mean of one over the rank of the first such turn. A dialogue is a user, a turn is an event.
"""

import json
import subprocess
import tempfile
from statistics import mean

from harness import dialogues, peers
from harness.compare import absolute

ONLY_IF_NAMED = True
APP, MOST, CUTS = "s1", 20, (5, 10, 20)
# Of LoCoMo: the questions that have an answer in the dialogue, and those of category 5, with which nothing was tuned
ANSWERABLE, HELD_BACK = {"1", "2", "3", "4"}, {"5"}


def measure(bench):
    if not bench.locomo:
        raise SystemExit("s1 needs --locomo FOLDER, with the files of LoCoMo or LongMemEval")
    found = dialogues.read(bench.locomo)
    for dialogue in found:
        store(bench.service, dialogue)
    ours = [[search(bench.service, dialogue.user, question.text) for question in dialogue.questions]
            for dialogue in found]
    sides = {"Agent Sessions": ours, **adk(found)}
    rows = [[side, category, *map(shown, figures)]
            for side, hits in sides.items() for category, figures in by_category(found, hits).items()]
    bench.table("S1: what the first hits have of what answers a question", ["", "questions", "number",
                *(f"r@{cut}" for cut in CUTS), "MRR"], rows)
    targets(bench, found, ours)


def store(service, dialogue):
    for session, turns in dialogue.sessions().items():
        service.post(f"/apps/{APP}/users/{dialogue.user}/sessions", {"sessionId": session,
                                                                     "events": [event(turn) for turn in turns]})


def event(turn):
    role, author = ("model", "agent") if turn.agent else ("user", "user")
    return {"id": turn.id, "author": author, "timestamp": turn.time, "content": {"role": role,
                                                                                 "parts": [{"text": turn.text}]}}


def search(service, user, text):
    """The ids of the first hits; a user with many events takes several searches until all are indexed."""
    while True:
        answer = service.post(f"/apps/{APP}/users/{user}/events:search", {"q": text[:2000], "mode": "text",
                                                                          "limit": MOST})
        if answer["complete"]:
            return [hit["eventId"] for hit in answer["hits"]]


def adk(found):
    """What ADK Python's own memory services find."""
    asked = json.dumps([{"user": dialogue.user, "questions": [question.text for question in dialogue.questions],
                         "sessions": {session: [vars(turn) for turn in turns]
                                      for session, turns in dialogue.sessions().items()}} for dialogue in found])
    command = peers.python("memory")
    with tempfile.TemporaryDirectory() as folder:
        services = {"ADK Python's InMemoryMemoryService": ["inmemory"],
                    "ADK Python's SqliteMemoryService": ["sqlite", f"{folder}/memory.db"]}
        return {name: json.loads(subprocess.run([*command, *arguments], input=asked, capture_output=True, text=True,
                                                check=True).stdout) for name, arguments in services.items()}


def by_category(found, hits):
    """For each category and for all together: the number of questions, recall at each cut, and MRR."""
    categories = sorted({question.category for dialogue in found for question in dialogue.questions})
    groups = {category: {category} for category in categories}
    if ANSWERABLE <= set(categories):
        groups["1 to 4"] = ANSWERABLE
    return {name: figures(found, hits, group) for name, group in groups.items()}


def figures(found, hits, categories):
    ranked = [(question.evidence, ids) for dialogue, of_dialogue in zip(found, hits)
              for question, ids in zip(dialogue.questions, of_dialogue) if question.category in categories]
    recalls = [mean(len(evidence & set(ids[:cut])) / len(evidence) for evidence, ids in ranked) for cut in CUTS]
    return [len(ranked), *recalls, mean(reciprocal(evidence, ids) for evidence, ids in ranked)]


def reciprocal(evidence, ids):
    return next((1 / rank for rank, id in enumerate(ids[:MOST], 1) if id in evidence), 0)


def shown(figure):
    return f"{figure:.3f}" if isinstance(figure, float) else figure


def targets(bench, found, ours):
    """LoCoMo's; other data has none."""
    if not any(question.category in ANSWERABLE for dialogue in found for question in dialogue.questions):
        return
    _, five, ten, _, mrr = figures(found, ours, ANSWERABLE)
    bench.add(absolute("S1", "LoCoMo, categories 1 to 4, recall at 5", [five], "", at_least=0.53))
    bench.add(absolute("S1", "LoCoMo, categories 1 to 4, recall at 10", [ten], "", at_least=0.63))
    bench.add(absolute("S1", "LoCoMo, categories 1 to 4, MRR", [mrr], "", at_least=0.42))
    bench.add(absolute("S1", "LoCoMo, category 5, recall at 10", [figures(found, ours, HELD_BACK)[2]], "", at_least=0.78))
