"""Stands in for the program `claude` in tests: the same messages on its input and output, with a scripted model.

It knows what was said before only from the transcript that the SDK has loaded from the store.
"""

import json
import os
import sys
import uuid
from pathlib import Path
from typing import Any


def say(message: dict[str, Any]) -> None:
    print(json.dumps(message), flush=True)


def entry(kind: str, content: Any, session_id: str) -> dict[str, Any]:
    message = {"role": kind, "content": content}
    return {
        "type": kind,
        "uuid": str(uuid.uuid4()),
        "sessionId": session_id,
        "timestamp": "2026-11-01T10:00:00.000Z",
        "message": message,
    }


def main() -> None:
    projects = Path(os.environ["CLAUDE_CONFIG_DIR"]) / "projects"
    resumed = next((one.split("=")[1] for one in sys.argv if one.startswith("--resume=")), None)
    session_id = resumed or str(uuid.uuid4())
    (transcript, *_) = [*projects.glob(f"*/{resumed}.jsonl"), projects / project_key() / f"{session_id}.jsonl"]
    known = transcript.read_text() if resumed else ""
    for line in sys.stdin:
        asked = json.loads(line)
        if asked["type"] == "control_request":
            answer = {"subtype": "success", "request_id": asked["request_id"], "response": {}}
            say({"type": "control_response", "response": answer})
        elif asked["type"] == "user":
            text = "You are Ada." if "My name is Ada." in known else "Hello!"
            question = entry("user", asked["message"]["content"], session_id)
            reply = entry("assistant", [{"type": "text", "text": text}], session_id)
            say({"type": "transcript_mirror", "filePath": str(transcript), "entries": [question, reply]})
            numbers = {"duration_ms": 1, "duration_api_ms": 1, "num_turns": 1, "is_error": False}
            say({"type": "result", "subtype": "success", "session_id": session_id, "result": text, **numbers})


def project_key() -> str:
    return "".join(char if char.isalnum() else "-" for char in os.getcwd())


if __name__ == "__main__":
    main()
