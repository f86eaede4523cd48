"""The life of a session, in Python. Needs the package requests.

    python3 walkthrough.py [address of the service]
"""

import os
import sys

import requests

SERVICE = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("AGENT_SESSIONS_URL", "http://localhost:8080")
SESSIONS = SERVICE + "/apps/travel/users/alice/sessions"

http = requests.Session()


def create(state):
    """Creates a session and returns the id that the service gave it."""
    answer = http.post(SESSIONS, json={"state": state})
    answer.raise_for_status()
    return answer.json()["id"]


def append(session_id, revision, event):
    """Appends an event behind the revision that we know, and returns the new revision."""
    while True:
        answer = http.post(f"{SESSIONS}/{session_id}/events", json=event, headers={"If-Match": f'"{revision}"'})
        if answer.status_code != 412:
            answer.raise_for_status()
            return answer.json()["revision"]
        stale = answer.json()
        for missed in http.get(SERVICE + stale["missedEvents"]).json()["events"]:
            print("missed: " + missed["content"]["parts"][0]["text"])
        revision = stale["revision"]


def render(session_id, template):
    answer = http.post(f"{SESSIONS}/{session_id}:render", json={"template": template})
    answer.raise_for_status()
    return answer.json()["text"]


def say(author, text, state_delta):
    content = {"role": "user" if author == "user" else "model", "parts": [{"text": text}]}
    return {"author": author, "content": content, "actions": {"stateDelta": state_delta}}


def main():
    first = create({"app:theme": "dark", "user:name": "Alice", "user:language": "en",
                    "topic": "a trip to Kyoto", "temp:trace": "7f3a"})
    revision = append(first, 0, say("concierge", "Spring or autumn?", {"user:language": "ja"}))
    print(f"the first session is at revision {revision}")

    second = create({})
    print("the second session knows: " + render(second, "{user:name}, {user:language}, {app:theme}"))

    append(first, revision, say("user", "Autumn, please", {}))
    revision = append(first, revision, say("concierge", "Let us look for a hotel", {"step": "find_hotel"}))
    print(f"the first session is at revision {revision}")

    print(render(first, "You are helping {user:name} with {topic}. Next step: {step}."))
    for session_id in first, second:
        http.delete(f"{SESSIONS}/{session_id}").raise_for_status()
    print("both sessions are deleted")


if __name__ == "__main__":
    main()
