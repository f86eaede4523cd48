"""Files that agents save. What ADK's own service in memory does as well is tried with both."""

import uuid
from collections.abc import AsyncIterator
from typing import Any

import pytest
from google.adk.agents import BaseAgent
from google.adk.agents.invocation_context import InvocationContext
from google.adk.artifacts import InMemoryArtifactService
from google.adk.artifacts.base_artifact_service import BaseArtifactService
from google.adk.events import Event, EventActions
from google.adk.runners import Runner
from google.genai import types
from proxy import CUT_ANSWER, FORWARD, LOSE_ANSWER, Fault, Proxy

from agent_sessions_adk import AgentSessionArtifactService, AgentSessionService, InvalidRequestError


@pytest.fixture
async def ours(url: str) -> AsyncIterator[AgentSessionArtifactService]:
    async with AgentSessionArtifactService(url) as service:
        yield service


@pytest.fixture(params=["memory", "agentsessions"])
def artifacts(request: pytest.FixtureRequest, ours: AgentSessionArtifactService) -> BaseArtifactService:
    return ours if request.param == "agentsessions" else InMemoryArtifactService()


@pytest.fixture
def place(app: str) -> dict[str, Any]:
    return {"app_name": app, "user_id": "ann", "session_id": f"s-{uuid.uuid4()}"}


def png(data: bytes) -> types.Part:
    return types.Part.from_bytes(data=data, mime_type="image/png")


async def test_versions_begin_with_0_and_load(artifacts: BaseArtifactService, place: dict[str, Any]) -> None:
    parts = [png(b"one"), png(bytes(range(256)) * 3000), types.Part.from_bytes(data=b"x", mime_type="text/plain")]
    for number, part in enumerate(parts):
        assert await artifacts.save_artifact(**place, filename="a", artifact=part) == number
    for number, part in enumerate(parts):
        assert await artifacts.load_artifact(**place, filename="a", version=number) == part
    assert await artifacts.load_artifact(**place, filename="a") == parts[-1]
    assert await artifacts.load_artifact(**place, filename="a", version=3) is None
    assert await artifacts.list_versions(**place, filename="a") == [0, 1, 2]


@pytest.mark.parametrize("version", [-1, 1, 2**31 - 1, 2**31, 2**40, 10**30])
async def test_a_version_that_cannot_exist_is_absent(
    artifacts: BaseArtifactService, place: dict[str, Any], version: int
) -> None:
    for filename in ("a", "user:a"):
        await artifacts.save_artifact(**place, filename=filename, artifact=png(b"one"))
        assert await artifacts.load_artifact(**place, filename=filename, version=version) is None
        assert await artifacts.get_artifact_version(**place, filename=filename, version=version) is None


async def test_a_text_comes_back_as_a_text(artifacts: BaseArtifactService, place: dict[str, Any]) -> None:
    part = types.Part(text='Grüße "an alle" \u0001 😀')
    assert await artifacts.save_artifact(**place, filename="folder/t", artifact=part) == 0
    assert await artifacts.load_artifact(**place, filename="folder/t") == part


async def test_nothing_is_there_before_a_save_and_after_a_deletion(
    artifacts: BaseArtifactService, place: dict[str, Any]
) -> None:
    async def nothing() -> None:
        assert await artifacts.load_artifact(**place, filename="a") is None
        assert await artifacts.list_artifact_keys(**place) == []
        assert await artifacts.list_versions(**place, filename="a") == []
        assert await artifacts.get_artifact_version(**place, filename="a") is None

    await nothing()
    await artifacts.delete_artifact(**place, filename="a")
    await artifacts.save_artifact(**place, filename="a", artifact=png(b"1"))
    await artifacts.delete_artifact(**place, filename="a")
    await nothing()


async def test_an_artifact_of_the_user_is_there_in_all_sessions(
    artifacts: BaseArtifactService, place: dict[str, Any]
) -> None:
    other = place | {"session_id": "other"}
    await artifacts.save_artifact(**place, filename="user:photo", artifact=png(b"1"))
    await artifacts.save_artifact(**place, filename="own", artifact=png(b"2"))
    assert await artifacts.load_artifact(**other, filename="user:photo") == png(b"1")
    assert await artifacts.load_artifact(**other, filename="own") is None
    assert sorted(await artifacts.list_artifact_keys(**place)) == ["own", "user:photo"]
    nowhere = place | {"session_id": None}
    assert await artifacts.load_artifact(**nowhere, filename="user:photo") == png(b"1")
    assert await artifacts.list_artifact_keys(**nowhere) == ["user:photo"]


async def test_a_large_file_with_a_name_for_people_comes_back(
    artifacts: BaseArtifactService, place: dict[str, Any]
) -> None:
    blob = types.Blob(data=b"x" * 13_000_000, mime_type="image/png", display_name="Grüße & mehr.png")
    part = types.Part(inline_data=blob)
    await artifacts.save_artifact(**place, filename="a", artifact=part)
    assert await artifacts.load_artifact(**place, filename="a") == part


async def test_metadata_comes_back(artifacts: BaseArtifactService, place: dict[str, Any]) -> None:
    await artifacts.save_artifact(
        **place, filename="a", artifact=png(b"1"), custom_metadata={"source": "Straße", "n": {"m": 1}}
    )
    await artifacts.save_artifact(**place, filename="a", artifact=png(b"2"))
    first, second = await artifacts.list_artifact_versions(**place, filename="a")
    assert (first.version, first.mime_type) == (0, "image/png")
    assert first.custom_metadata == {"source": "Straße", "n": {"m": 1}}
    assert second.create_time >= first.create_time
    newest = await artifacts.get_artifact_version(**place, filename="a")
    assert newest == second
    assert await artifacts.get_artifact_version(**place, filename="a", version=0) == first


async def test_a_reference_leads_to_its_target(artifacts: BaseArtifactService, place: dict[str, Any]) -> None:
    await artifacts.save_artifact(**place, filename="a", artifact=png(b"1"))
    uri = "artifact://apps/{app_name}/users/{user_id}/sessions/{session_id}/artifacts/a/versions/0".format(**place)
    reference = types.Part(file_data=types.FileData(file_uri=uri, mime_type="image/png"))
    await artifacts.save_artifact(**place, filename="b", artifact=reference)
    assert await artifacts.load_artifact(**place, filename="b") == png(b"1")


async def test_an_empty_file_of_unknown_type_is_one_that_a_rewind_took_back(
    ours: AgentSessionArtifactService, place: dict[str, Any]
) -> None:
    taken_back = types.Part.from_bytes(data=b"", mime_type="application/octet-stream")
    assert await ours.save_artifact(**place, filename="a", artifact=taken_back) == 0
    assert await ours.load_artifact(**place, filename="a") is None


async def test_a_file_elsewhere_comes_back_as_it_is(ours: AgentSessionArtifactService, place: dict[str, Any]) -> None:
    part = types.Part(file_data=types.FileData(file_uri="gs://bucket/a.png", mime_type="image/png"))
    await ours.save_artifact(**place, filename="a", artifact=part)
    assert await ours.load_artifact(**place, filename="a") == part
    version = await ours.get_artifact_version(**place, filename="a")
    assert version and version.canonical_uri == "gs://bucket/a.png"


@pytest.mark.parametrize("fault", [LOSE_ANSWER, CUT_ANSWER])
@pytest.mark.parametrize(
    "part",
    [
        png(b"1"),
        types.Part(inline_data=types.Blob(data=b"1", mime_type="image/png", display_name="Photo")),
        types.Part(text="one"),
        types.Part(file_data=types.FileData(file_uri="gs://bucket/a.png", mime_type="image/png")),
    ],
)
async def test_a_save_whose_answer_is_lost_is_sent_again_and_stored_once(
    proxy: Proxy, place: dict[str, Any], part: types.Part, fault: Fault
) -> None:
    async with AgentSessionArtifactService(proxy.url) as artifacts:
        proxy.faults = [FORWARD, FORWARD, fault, fault]  # there is no session, so it is created, then the part is saved
        assert await artifacts.save_artifact(**place, filename="a", artifact=part) == 0
        assert proxy.faults == []
        proxy.faults = [fault]
        assert await artifacts.save_artifact(**place, filename="a", artifact=part) == 1
        assert await artifacts.list_versions(**place, filename="a") == [0, 1]


async def test_a_reference_to_another_user_is_refused(ours: AgentSessionArtifactService, place: dict[str, Any]) -> None:
    uri = "artifact://apps/{app_name}/users/bob/artifacts/user:a/versions/0".format(**place)
    part = types.Part(file_data=types.FileData(file_uri=uri, mime_type="image/png"))
    with pytest.raises(InvalidRequestError, match="same app and user"):
        await ours.save_artifact(**place, filename="a", artifact=part)


class Painter(BaseAgent):
    """Saves a picture and loads it again."""

    async def _run_async_impl(self, context: InvocationContext) -> AsyncIterator[Event]:  # type: ignore[override]
        artifacts = context.artifact_service
        assert artifacts
        place = {
            "app_name": context.session.app_name,
            "user_id": context.session.user_id,
            "session_id": context.session.id,
            "filename": "picture",
        }
        version = await artifacts.save_artifact(**place, artifact=png(context.invocation_id.encode()))
        loaded = await artifacts.load_artifact(**place)
        assert loaded == png(context.invocation_id.encode())
        yield Event(
            author=self.name,
            invocation_id=context.invocation_id,
            actions=EventActions(artifact_delta={"picture": version}),
        )


async def test_a_rewind_takes_artifacts_back(
    service: AgentSessionService, ours: AgentSessionArtifactService, app: str
) -> None:
    session = await service.create_session(app_name=app, user_id="ann")
    place = {"app_name": app, "user_id": "ann", "session_id": session.id}
    runner = Runner(app_name=app, agent=Painter(name="painter"), session_service=service, artifact_service=ours)
    turns = []
    for text in ("Paint!", "Again!"):
        message = types.Content(role="user", parts=[types.Part(text=text)])
        turns.append([event async for event in runner.run_async(user_id="ann", session_id=session.id, new_message=message)])
    first, second = (turn[0].invocation_id for turn in turns)
    assert await ours.load_artifact(**place, filename="picture") == png(second.encode())
    await runner.rewind_async(user_id="ann", session_id=session.id, rewind_before_invocation_id=second)
    assert await ours.load_artifact(**place, filename="picture") == png(first.encode())
    await runner.rewind_async(user_id="ann", session_id=session.id, rewind_before_invocation_id=first)
    assert await ours.load_artifact(**place, filename="picture") is None
