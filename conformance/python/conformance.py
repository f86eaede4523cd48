"""Uses the session service of the published google-adk against a running service.

Usage: conformance.py before|after, where the service is restarted in between.
"""

import asyncio
import importlib.metadata
import json
import os
import sys
import tempfile

import httpx
import requests

URL = os.environ["AGENT_SESSIONS_URL"]
ENGINE = os.environ["CONFORMANCE_ENGINE"]
LANGUAGES = os.environ.get("CONFORMANCE_LANGUAGES", "python").split()
VERSION = importlib.metadata.version("google-adk")
NAME = f"python google-adk {VERSION}"
SUFFIX = VERSION.replace(".", "-")


def use_credentials_without_google():
    """A credential file whose token comes from the service's own token endpoint."""
    folder = tempfile.mkdtemp()
    token, credentials = os.path.join(folder, "token"), os.path.join(folder, "credentials.json")
    with open(token, "w") as file:
        file.write(os.environ.get("AGENT_SESSIONS_TOKEN", "any-token") + "\n")
    with open(credentials, "w") as file:
        json.dump({
            "type": "external_account",
            "audience": "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/x",
            "subject_token_type": "urn:ietf:params:oauth:token-type:jwt",
            "token_url": URL + "/sts/token",
            "credential_source": {"file": token},
        }, file)
    os.environ["GOOGLE_APPLICATION_CREDENTIALS"] = credentials
    os.environ.setdefault("GOOGLE_CLOUD_PROJECT", "my-project")  # else it is looked up at Google


use_credentials_without_google()

from google.adk.agents import LlmAgent  # noqa: E402
from google.adk.events import Event, EventActions  # noqa: E402
from google.adk.events.event_actions import EventCompaction  # noqa: E402
from google.adk.models import BaseLlm, LlmResponse  # noqa: E402
from google.adk.runners import Runner  # noqa: E402
from google.adk.sessions import VertexAiSessionService  # noqa: E402
from google.adk.sessions.base_session_service import GetSessionConfig  # noqa: E402
from google.adk.tools import ToolContext  # noqa: E402
from google.genai import types  # noqa: E402

import quickstart  # noqa: E402
from cases import Cases, equal  # noqa: E402
from context_view import makes_the_same_prompt_of_a_context_read, sums_up_the_same_without_an_overlap  # noqa: E402
from event_shapes import stores_no_event_that_its_model_cannot_read  # noqa: E402
from quickstart import AgentSessions  # noqa: E402

ODD_USER = 'u "1" é&+'
PIXEL = bytes([1, 2, 3, 4, 255, 254, 253, 62, 63])

if VERSION.startswith("1."):
    AgentSessions._get_api_client = AgentSessions._build_api_client
service = AgentSessions()


async def create(user="alice", **options):
    return await service.create_session(app_name=ENGINE, user_id=user, **options)


async def get(session, user=None, config=None):
    return await service.get_session(
        app_name=ENGINE, user_id=user or session.user_id, session_id=session.id, config=config)


def event(number=1, delta=None, parts=None, **fields):
    content = types.Content(role="user", parts=parts or [types.Part(text=f"message {number}")])
    return Event(author=fields.pop("author", "user"), invocation_id=f"i-{number}", content=content,
                 timestamp=fields.pop("timestamp", 1767225600.123456 + number),
                 actions=EventActions(state_delta=delta or {}), **fields)


async def creates_reads_lists_and_deletes_a_session():
    session = await create(user="lifecycle", state={"k": 1, "temp:t": 2})
    for state in (session.state, (await get(session)).state):
        equal((state["k"], "temp:t" in state), (1, False))
    listed = await service.list_sessions(app_name=ENGINE, user_id="lifecycle")
    assert session.id in [item.id for item in listed.sessions]
    await service.delete_session(app_name=ENGINE, user_id="lifecycle", session_id=session.id)
    equal(await get(session), None)


async def keeps_the_id_that_was_asked_for():
    session = await create(session_id=f"own-{SUFFIX}")
    equal(session.id, f"own-{SUFFIX}")
    try:
        await create(session_id=f"own-{SUFFIX}")
        raise AssertionError("created twice")
    except Exception as error:
        assert "409" in str(error) or "already" in str(error).lower(), error


async def reads_back_the_whole_event():
    session = await create()
    sent = event(delta={"a": {"n": [1, 2.5, None]}, "user:u": "x"}, parts=[
        types.Part(text="look"),
        types.Part(inline_data=types.Blob(mime_type="image/png", data=PIXEL)),
        types.Part(function_call=types.FunctionCall(id="c1", name="f_g", args={"some_key": None})),
    ], branch="a.b", long_running_tool_ids={"c1"}, turn_complete=True, custom_metadata={"own_key": {"n": 1}},
        error_code="E", error_message="m", grounding_metadata=types.GroundingMetadata(web_search_queries=["q"]),
        usage_metadata=types.GenerateContentResponseUsageMetadata(prompt_token_count=5))
    await service.append_event(session, sent)
    stored = (await get(session)).events[0]
    for field in ("id", "author", "invocation_id", "timestamp", "content", "branch", "long_running_tool_ids",
                  "turn_complete", "custom_metadata", "error_code", "error_message", "grounding_metadata",
                  "usage_metadata"):
        equal(getattr(stored, field), getattr(sent, field))
    equal(stored.actions.state_delta, sent.actions.state_delta)


async def reads_250_events_complete_and_in_order():
    session = await create()
    for number in range(250):
        await service.append_event(session, event(number))
    stored = await get(session)
    equal([item.content.parts[0].text for item in stored.events], [f"message {n}" for n in range(250)])
    recent = await get(session, config=GetSessionConfig(num_recent_events=3))
    equal([item.invocation_id for item in recent.events], ["i-247", "i-248", "i-249"])
    after = await get(session, config=GetSessionConfig(after_timestamp=1767225600.123456 + 248))
    equal([item.invocation_id for item in after.events], ["i-248", "i-249"])


async def shares_state_between_sessions():
    user = f"sharing-{SUFFIX}"
    first, second = await create(user), await create(user)
    await service.append_event(first, event(delta={f"app:a-{SUFFIX}": 1, "user:u": 2, "own": 3, "temp:t": 4}))
    state = (await get(second)).state
    equal((state[f"app:a-{SUFFIX}"], state["user:u"], "own" in state), (1, 2, False))
    other = await create(user + "-other")
    equal("user:u" in (await get(other)).state, False)
    assert "temp:t" not in (await get(first)).state


async def keeps_none_and_removes_a_key_with_the_mark():
    session = await create(state={"k": 1, "user:gone": 1, "first": None})
    delta = {"k": None, "user:gone": "__ADK_SENTINEL_REMOVED__", "kept": {"n": None}}
    await service.append_event(session, event(delta=delta))
    stored = await get(session)
    equal(stored.state, {key: stored.state[key] for key in stored.state if ":" in key}
          | {"k": None, "first": None, "kept": {"n": None}})
    assert "user:gone" not in stored.state
    equal(stored.events[0].actions.state_delta, delta)


async def takes_no_event_for_newer_than_its_summary():
    session = await create()
    for number in range(20):  # in binary, about half of these times are rounded up to microseconds
        time = 1767225600.1234567 + number * 1.0000013
        await service.append_event(session, event(number, timestamp=time))
        compaction = EventCompaction(start_timestamp=time, end_timestamp=time, compacted_content=types.Content(parts=[]))
        await service.append_event(session, Event(
            author="user", invocation_id=f"s-{number}", actions=EventActions(compaction=compaction)))
    events = (await get(session)).events
    times = {item.invocation_id[2:]: item.timestamp for item in events if not item.actions.compaction}
    ends = {item.invocation_id[2:]: item.actions.compaction.end_timestamp for item in events if item.actions.compaction}
    equal(times, ends)
    equal(len(times), 20)


async def stores_an_event_without_an_invocation():
    session = await create()
    await service.append_event(session, Event(author="user", content=types.Content(parts=[types.Part(text="hi")])))
    equal((await get(session)).events[0].invocation_id, "")


async def finds_the_sessions_of_a_user_with_an_odd_name():
    session = await create(ODD_USER)
    equal((await get(session)).user_id, ODD_USER)
    listed = await service.list_sessions(app_name=ENGINE, user_id=ODD_USER)
    assert session.id in [item.id for item in listed.sessions]
    assert all(item.user_id == ODD_USER for item in listed.sessions)
    everybody = await service.list_sessions(app_name=ENGINE)
    assert len(everybody.sessions) > len(listed.sessions)


async def hides_sessions_of_somebody_else():
    session = await create()
    calls = [get(session, user="mallory")]
    if not VERSION.startswith("1."):  # older versions do not look whose session they delete
        calls.append(service.delete_session(app_name=ENGINE, user_id="mallory", session_id=session.id))
    for call in calls:
        try:
            await call
            raise AssertionError("not refused")
        except ValueError:
            pass
    assert await get(session)


async def misses_what_is_not_there():
    equal(await service.get_session(app_name=ENGINE, user_id="alice", session_id="none"), None)
    try:
        await service.delete_session(app_name=ENGINE, user_id="alice", session_id="none")
    except Exception as error:  # older versions do not look before
        assert "404" in str(error), error
    gone = await create()
    await service.delete_session(app_name=ENGINE, user_id="alice", session_id=gone.id)
    try:
        await service.append_event(gone, event())
        raise AssertionError("appended to nothing")
    except AssertionError:
        raise
    except Exception as error:
        assert "404" in str(error), error


async def ends_a_session_after_its_ttl():
    session = await create(ttl="2s")
    assert await get(session)
    await asyncio.sleep(2.1)
    equal(await get(session), None)


class WithCredentialFile(VertexAiSessionService):
    def _api_client_http_options_override(self):
        return types.HttpOptions(base_url=URL)


async def takes_its_token_from_a_credential_file():
    other = WithCredentialFile(project="my-project", location="local", agent_engine_id=ENGINE)
    session = await other.create_session(app_name="any", user_id="alice")
    assert await get(session, user="alice")


async def runs_the_program_of_the_documentation():
    await quickstart.main()


class Scripted(BaseLlm):
    """A model without a network: it calls the tool, and then says what the tool said."""

    async def generate_content_async(self, llm_request, stream=False):
        last = llm_request.contents[-1].parts[-1]
        if last.function_response:
            part = types.Part(text=f"{last.function_response.response['count']} so far")
        else:
            part = types.Part(function_call=types.FunctionCall(name="count", args={}))
        yield LlmResponse(content=types.Content(role="model", parts=[part]))


def count(tool_context: ToolContext) -> dict:
    """Counts how often it was called."""
    tool_context.state["count"] = tool_context.state.get("count", 0) + 1
    tool_context.state["user:total"] = tool_context.state.get("user:total", 0) + 1
    tool_context.state["temp:scratch"] = "gone"
    return {"count": tool_context.state["count"]}


async def talk():
    """One turn of a conversation that goes on wherever it was left."""
    user = f"talker-{SUFFIX}"
    agent = LlmAgent(name="counter", model=Scripted(model="scripted"), tools=[count], output_key="answer",
                     instruction="Count.")
    runner = Runner(app_name=ENGINE, agent=agent, session_service=service)
    listed = await service.list_sessions(app_name=ENGINE, user_id=user)
    session = listed.sessions[0] if listed.sessions else await create(user)
    message = types.Content(role="user", parts=[types.Part(text="How many?")])
    texts = [part.text async for item in runner.run_async(user_id=user, session_id=session.id, new_message=message)
             for part in item.content.parts if part.text]
    return texts, await get(session)


async def runs_an_agent():
    equal((await talk())[0], ["1 so far"])
    texts, session = await talk()
    equal(texts, ["2 so far"])
    equal((session.state["count"], session.state["user:total"], session.state["answer"]), (2, 2, "2 so far"))
    assert "temp:scratch" not in session.state
    equal(len(session.events), 8)


async def goes_on_with_the_conversation_after_a_restart():
    texts, session = await talk()
    equal(texts, ["3 so far"])
    equal((session.state["count"], session.state["answer"], len(session.events)), (3, "3 so far", 12))


async def leaves_something_for_the_other_languages():
    session = await create("shared", session_id=f"shared-python-{SUFFIX}")
    await service.append_event(session, event(delta={"app:from-python": "p", "user:from-python": "p"}, parts=[
        types.Part(text="from python"), types.Part(inline_data=types.Blob(mime_type="image/png", data=PIXEL)),
        types.Part(function_call=types.FunctionCall(id="c1", name="f", args={"some_key": 1}))]))


async def reads_what_the_other_languages_left():
    listed = await service.list_sessions(app_name=ENGINE, user_id="shared")
    for language in LANGUAGES:
        for session in listed.sessions:
            equal(session.state.get(f"app:from-{language}"), language[0])
            equal(session.state.get(f"user:from-{language}"), language[0])
    texts, blobs = set(), []
    for session in listed.sessions:
        events = (await get(session)).events
        # A tool call of Rust has no content for this client, which reads nothing but the raw copy.
        for part in (part for item in events if item.content for part in item.content.parts):
            texts.add(part.text)
            blobs += [part.inline_data.data] if part.inline_data else []
    assert {f"from {language}" for language in LANGUAGES} <= texts, texts
    assert blobs and all(blob == PIXEL for blob in blobs), blobs


async def shows_each_event_as_one_line_to_the_usual_readers():
    text = "a\u2028b\u2029c\u0085d é"
    session = await create("lines")
    await service.append_event(session, event(parts=[types.Part(text=text)]))
    path = f"{URL}/apps/{ENGINE}/users/lines"
    watch = f"{path}/sessions/{session.id}/events:watch?afterSeq=0"

    def shown(line):
        return json.loads(line.removeprefix("data: "))["content"]["parts"][0]["text"]

    with requests.get(watch, stream=True) as answer:
        lines = answer.iter_lines(chunk_size=1, decode_unicode=True)
        equal(shown(next(line for line in lines if line.startswith("data: "))), text)
    async with httpx.AsyncClient() as client, client.stream("GET", watch) as answer:
        equal(shown(await anext(line async for line in answer.aiter_lines() if line.startswith("data: "))), text)
    exported = [json.loads(line) for line in requests.get(f"{path}:export").text.splitlines()]
    equal([line["event"]["content"]["parts"][0]["text"] for line in exported if line["kind"] == "event"], [text])


async def remembers_a_session_without_doubles():
    await memory_bank.remembers_a_session_without_doubles(service)


BEFORE = [creates_reads_lists_and_deletes_a_session, keeps_the_id_that_was_asked_for, reads_back_the_whole_event,
          reads_250_events_complete_and_in_order, shares_state_between_sessions, keeps_none_and_removes_a_key_with_the_mark,
          takes_no_event_for_newer_than_its_summary, stores_an_event_without_an_invocation,
          finds_the_sessions_of_a_user_with_an_odd_name, hides_sessions_of_somebody_else, misses_what_is_not_there,
          ends_a_session_after_its_ttl, takes_its_token_from_a_credential_file, runs_the_program_of_the_documentation, runs_an_agent,
          makes_the_same_prompt_of_a_context_read, sums_up_the_same_without_an_overlap,
          stores_no_event_that_its_model_cannot_read,
          leaves_something_for_the_other_languages,
          shows_each_event_as_one_line_to_the_usual_readers]
AFTER = [goes_on_with_the_conversation_after_a_restart, reads_what_the_other_languages_left]
if not VERSION.startswith("1."):  # the memory service of older versions has no method for another address
    import memory_bank
    BEFORE += [remembers_a_session_without_doubles, memory_bank.remembers_events_of_sessions_that_are_elsewhere,
               memory_bank.remembers_facts]
    AFTER += [memory_bank.finds_facts_after_a_restart]


async def main():
    cases = Cases(f"{NAME} ({sys.argv[1]})")
    for case in BEFORE if sys.argv[1] == "before" else AFTER:
        await cases.run(case)
    return cases.report()


if __name__ == "__main__":
    sys.exit(0 if asyncio.run(main()) else 1)
