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
    """Creates a session. The service chooses the id."""
    return session_of(http.post(SESSIONS, json={"state": state}))


def read(session_id):
    """Reads a session: its state, its events and its entity tag, all of one moment."""
    return session_of(http.get(f"{SESSIONS}/{session_id}"))


def session_of(response):
    response.raise_for_status()
    return response.json() | {"tag": response.headers["ETag"]}


def append(session, make_event):
    """Appends the event that make_event returns. After a 412, reads the session again and calls make_event again."""
    while True:
        event = make_event(session)
        response = http.post(f"{SESSIONS}/{session['id']}/events", json=event, headers={"If-Match": session["tag"]})
        if response.status_code != 412:
            response.raise_for_status()
            session.update(read(session["id"]))
            return response.json()["revision"]
        now = read(session["id"])
        for missed in now["events"][len(session["events"]):]:
            print("missed: " + text_of(missed))
        session.update(now)


def text_of(event):
    """Returns the text of an event. An event that only changes state has none."""
    parts = (event.get("content") or {}).get("parts") or []
    return " ".join(part["text"] for part in parts if "text" in part)


def say(author, text, state_delta):
    """Returns a function that makes an event with a text and adds 1 to the number of turns."""
    content = {"role": "user" if author == "user" else "model", "parts": [{"text": text}]}
    return lambda session: {"author": author, "content": content, "actions": {
        "stateDelta": {"turns": session["state"]["turns"] + 1} | state_delta}}


def render(session, template):
    response = http.post(f"{SESSIONS}/{session['id']}:render", json={"template": template})
    response.raise_for_status()
    return response.json()["text"]


def main():
    first = create({"app:theme": "dark", "user:name": "Alice", "user:language": "en",
                    "topic": "a trip to Kyoto", "turns": 0, "temp:trace": "7f3a"})
    revision = append(first, say("concierge", "Spring or autumn?", {"user:language": "ja"}))
    print(f"the first session is at revision {revision}")

    second = create({})
    print("the second session knows: " + render(second, "{user:name}, {user:language}, {app:theme}"))

    # Another process reads the first session and appends before this one does
    append(read(first["id"]), say("user", "Autumn, please", {}))
    revision = append(first, say("concierge", "Let us look for a hotel", {"step": "find_hotel"}))
    print(f"the first session is at revision {revision}, after {first['state']['turns']} turns")

    print(render(first, "You are helping {user:name} with {topic}. Next step: {step}."))
    for session in first, second:
        http.delete(f"{SESSIONS}/{session['id']}").raise_for_status()
    print("both sessions are deleted")


if __name__ == "__main__":
    main()
