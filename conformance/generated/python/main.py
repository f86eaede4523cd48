"""Uses the clients that openapi-generator has made for Python."""

import os

import adk
import vertex

URL = os.environ["AGENT_SESSIONS_URL"]


def adk_dialect() -> None:
    with adk.ApiClient(adk.Configuration(host=URL)) as client:
        sessions, events = adk.SessionsApi(client), adk.EventsApi(client)
        created = sessions.create_session("generated", "python", session_input=adk.SessionInput(state={"user:name": "Alice"}))
        assert created.id and created.state == {"user:name": "Alice"}

        event = adk.EventInput(
            author="user",
            content=adk.Content(role="user", parts=[{"text": "Hello"}]),
            actions=adk.EventActions(state_delta={"topic": "greeting"}),
            additional_properties={"mood": "sunny"},
        )
        appended = events.append_event("generated", "python", created.id, event)
        assert appended.revision == 1 and appended.event.additional_properties == {"mood": "sunny"}

        try:
            events.append_event("generated", "python", created.id, event, if_match='"0"')
            raise AssertionError("appended to a session that has changed")
        except adk.ApiException as failure:
            problem = adk.ProblemDetail.from_json(failure.body)
            assert failure.status == 412 and problem.code == "STALE_SESSION" and problem.revision == 1

        listed = events.list_events("generated", "python", created.id).events
        assert [event.id for event in listed] == [appended.event.id] and listed[0].timestamp > 1e9

        session = sessions.get_session("generated", "python", created.id, include_revision=True)
        assert session.state["topic"] == "greeting" and session.events[0].additional_properties == {"mood": "sunny"}
        assert session.last_update_time > created.last_update_time and session.revision == 1

        sessions.delete_session("generated", "python", created.id, if_match=session.etag)


def vertex_dialect() -> None:
    engine = ("my-project", "local", "generated")
    with vertex.ApiClient(vertex.Configuration(host=URL)) as client:
        sessions, session, events = vertex.SessionsApi(client), vertex.SessionApi(client), vertex.EventsApi(client)
        created = vertex.SessionInput(user_id="python", session_state={"user:name": "Alice"})
        session_id = sessions.create_session(*engine, created).name.split("/")[-3]

        event = vertex.EventInput(author="user", actions=vertex.Actions(state_delta={"topic": "greeting"}))
        events.append_event(*engine, session_id, event)
        listed = events.list_events(*engine, session_id).session_events
        assert [event.author for event in listed] == ["user"] and listed[0].timestamp.tzinfo
        assert session.get_session(*engine, session_id).session_state["topic"] == "greeting"
        session.delete_session(*engine, session_id)


if __name__ == "__main__":
    adk_dialect()
    vertex_dialect()
    print("generated/python: 2 passed, 0 failed")
