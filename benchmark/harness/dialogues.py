"""Reads public data sets of long dialogues with questions about them: LoCoMo and LongMemEval.

Neither is part of this repository. LoCoMo: the files of data/locomo10.zip of snap-research/locomo, unpacked. LongMemEval:
longmemeval_s.json or another of its files.
"""

import glob
import json
import re
from dataclasses import dataclass, field
from datetime import datetime, timezone

TIME_OF_LOCOMO = "%I:%M %p on %d %B, %Y"
TIME_OF_LONGMEMEVAL = "%Y/%m/%d (%a) %H:%M"


@dataclass
class Turn:
    """What was said: its id, its session, whether the agent says it, the text, and when."""

    id: str
    session: str
    agent: bool
    text: str
    time: float


@dataclass
class Question:
    """A question, its category, and the ids of the turns that answer it."""

    text: str
    category: str
    evidence: set


@dataclass
class Dialogue:
    """All that one user has said, in the order of time, with questions about it."""

    user: str
    turns: list = field(default_factory=list)
    questions: list = field(default_factory=list)

    def sessions(self):
        """The turns by session."""
        found = {}
        for turn in self.turns:
            found.setdefault(turn.session, []).append(turn)
        return found


def read(folder):
    """All dialogues of the files of a folder."""
    dialogues = []
    for path in sorted(glob.glob(f"{folder}/**/*.json", recursive=True)):
        with open(path) as file:
            data = json.load(file)
        for number, one in enumerate(data if isinstance(data, list) else [data]):
            dialogue = one_of(f"{len(dialogues)}-{number}", one)
            if dialogue:
                dialogues.append(dialogue)
    if not dialogues:
        raise SystemExit(f"{folder} has no dialogues of LoCoMo or LongMemEval")
    return dialogues


def one_of(user, data):
    if "haystack_sessions" in data:
        return longmemeval(user, data)
    return locomo(user, data) if "qa" in data else None


def locomo(user, data):
    """A dialogue of LoCoMo. The caption of an image is part of what is said."""
    talk = data.get("conversation", data)
    dialogue = Dialogue(user)
    for name in sorted((key for key in talk if re.fullmatch(r"session_\d+", key)), key=lambda key: int(key[8:])):
        begin = time_of(talk.get(f"{name}_date_time"), TIME_OF_LOCOMO)
        for number, turn in enumerate(talk[name]):
            text = "\n".join(filter(None, [turn["text"], turn.get("blip_caption")]))
            agent = turn["speaker"] == talk["speaker_b"]
            dialogue.turns.append(Turn(turn["dia_id"], name, agent, text, begin + number))
    ids = {turn.id for turn in dialogue.turns}
    for question in data["qa"]:
        evidence = set(re.findall(r"D\d+:\d+", " ".join(question.get("evidence", [])))) & ids
        if evidence:
            dialogue.questions.append(Question(question["question"], str(question["category"]), evidence))
    return dialogue


def longmemeval(user, data):
    """A question of LongMemEval, with the sessions in which its answer is to be found."""
    dialogue = Dialogue(user)
    evidence = set()
    dated = zip(data["haystack_session_ids"], data["haystack_dates"], data["haystack_sessions"])
    for number, (session, date, turns) in enumerate(dated):
        begin = time_of(date, TIME_OF_LONGMEMEVAL)
        for step, turn in enumerate(turns):
            id = f"{number}:{step}"
            dialogue.turns.append(Turn(id, f"{number}-{session}", turn["role"] == "assistant", turn["content"],
                                       begin + step))
            if turn.get("has_answer"):
                evidence.add(id)
    if evidence:
        dialogue.questions.append(Question(data["question"], data["question_type"], evidence))
    return dialogue


def time_of(text, form):
    """Seconds since 1970."""
    moment = datetime.strptime(text, form) if text else datetime(2023, 1, 1)
    return moment.replace(tzinfo=timezone.utc).timestamp()
