"""Runs the program of the README without changes, with a scripted model."""

import asyncio
import re
from pathlib import Path

import pydantic_ai
import pytest
from pydantic_ai import Agent
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from test_store import text_of

from agent_sessions_pydantic import AgentSessionsStore, Connection

HERE = Path(__file__).parent
README = (HERE.parent / "README.md").read_text()
PAGE = HERE.parents[2] / "docs" / "frameworks.md"  # not in the package
(PROGRAM,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


async def clear(url: str) -> None:
    async with AgentSessionsStore(Connection(url), app_name="guide", user_id="dave") as store:
        await store.delete("trip")


def test_the_program_prints_what_the_page_says(
    url: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (HERE / "quickstart.py").read_text() == PROGRAM
    assert not PAGE.exists() or PROGRAM in PAGE.read_text()
    asked: list[str] = []

    def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        asked[:] = [text_of(message) for message in messages]
        return ModelResponse(parts=[TextPart("Your name is Ada." if len(messages) > 1 else "Hello, Ada!")])

    model = FunctionModel(answer)  # another package has the client of the model
    monkeypatch.setattr(pydantic_ai, "Agent", lambda _, **options: Agent(model, **options))
    monkeypatch.setenv("AGENT_SESSIONS_URL", url)
    asyncio.run(clear(url))
    exec(PROGRAM, {"__name__": "__main__"})
    assert asked == ["My name is Ada.", "Hello, Ada!", "What is my name?"]
    assert f"```text\n{capsys.readouterr().out}```" in README
