"""Runs the program of the README without changes, with a scripted model."""

import asyncio
import re
from pathlib import Path

import pytest
from agents.models.multi_provider import MultiProvider
from agents.testing import ScriptedModel
from test_session import said

from agent_sessions_openai import AgentSession, Connection

HERE = Path(__file__).parent
README = (HERE.parent / "README.md").read_text()
PAGE = HERE.parents[2] / "docs" / "frameworks.md"  # not in the package
(PROGRAM,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


async def clear(url: str) -> None:
    async with AgentSession("trip", app_name="guide", user_id="alice", connection=Connection(url)) as session:
        await session.clear_session()


def test_the_program_prints_what_the_page_says(
    url: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (HERE / "quickstart.py").read_text() == PROGRAM
    assert not PAGE.exists() or PROGRAM in PAGE.read_text()
    model = ScriptedModel()
    model.enqueue([said("Hello, Ada!")])
    model.enqueue([said("Your name is Ada.")])
    monkeypatch.setattr(MultiProvider, "get_model", lambda *_: model)
    monkeypatch.setenv("AGENT_SESSIONS_URL", url)
    asyncio.run(clear(url))
    exec(PROGRAM, {"__name__": "__main__"})
    assert "My name is Ada." in str(model.calls[-1].input)
    assert f"```text\n{capsys.readouterr().out}```" in README
