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
    """Creates a session, under an id that the service chooses."""
    return session_of(http.post(SESSIONS, json={"state": state}))


def read(session_id):
    """Reads a session: its state, its events and the tag that stands for them, all of one moment."""
    return session_of(http.get(f"{SESSIONS}/{session_id}"))


def session_of(answer):
    answer.raise_for_status()
    return answer.json() | {"tag": answer.headers["ETag"]}


def append(session, make_event):
    """Appends the event that make_event makes of the session; makes it anew if the session has changed meanwhile."""
    while True:
        event = make_event(session)
        answer = http.post(f"{SESSIONS}/{session['id']}/events", json=event, headers={"If-Match": session["tag"]})
        if answer.status_code != 412:
            answer.raise_for_status()
            session.update(read(session["id"]))
            return answer.json()["revision"]
        now = read(session["id"])
        for missed in now["events"][len(session["events"]):]:
            print("missed: " + text_of(missed))
        session.update(now)


def text_of(event):
    """What was said; an event that only changes the state says nothing."""
    parts = (event.get("content") or {}).get("parts") or []
    return " ".join(part["text"] for part in parts if "text" in part)


def say(author, text, state_delta):
    """Makes an event that counts the turns, whatever the count is when it is appended."""
    content = {"role": "user" if author == "user" else "model", "parts": [{"text": text}]}
    return lambda session: {"author": author, "content": content, "actions": {
        "stateDelta": {"turns": session["state"]["turns"] + 1} | state_delta}}


def render(session, template):
    answer = http.post(f"{SESSIONS}/{session['id']}:render", json={"template": template})
    answer.raise_for_status()
    return answer.json()["text"]


def main():
    first = create({"app:theme": "dark", "user:name": "Alice", "user:language": "en",
                    "topic": "a trip to Kyoto", "turns": 0, "temp:trace": "7f3a"})
    revision = append(first, say("concierge", "Spring or autumn?", {"user:language": "ja"}))
    print(f"the first session is at revision {revision}")

    second = create({})
    print("the second session knows: " + render(second, "{user:name}, {user:language}, {app:theme}"))

    # Another process reads the first session, too, and is faster
    append(read(first["id"]), say("user", "Autumn, please", {}))
    revision = append(first, say("concierge", "Let us look for a hotel", {"step": "find_hotel"}))
    print(f"the first session is at revision {revision}, after {first['state']['turns']} turns")

    print(render(first, "You are helping {user:name} with {topic}. Next step: {step}."))
    for session in first, second:
        http.delete(f"{SESSIONS}/{session['id']}").raise_for_status()
    print("both sessions are deleted")


if __name__ == "__main__":
    main()
