"""Runs the program of the README without changes, with a scripted model."""

import asyncio
import re
from pathlib import Path

import agent_framework.openai
import pytest
from scripted_client import ScriptedClient

from agent_sessions_agent_framework import AgentSessionStore, Connection

HERE = Path(__file__).parent
README = (HERE.parent / "README.md").read_text()
PAGE = HERE.parents[2] / "docs" / "frameworks.md"  # not in the package
(PROGRAM,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


async def clear(url: str) -> None:
    async with AgentSessionStore(Connection(url), app_name="guide", user_id="carol") as store:
        await store.delete("trip")


def test_the_program_prints_what_the_page_says(
    url: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (HERE / "quickstart.py").read_text() == PROGRAM
    assert not PAGE.exists() or PROGRAM in PAGE.read_text()
    client = ScriptedClient("Hello, Ada!", "Your name is Ada.")
    monkeypatch.setitem(vars(agent_framework.openai), "OpenAIChatClient", lambda: client)  # another package has it
    monkeypatch.setenv("AGENT_SESSIONS_URL", url)
    asyncio.run(clear(url))
    exec(PROGRAM, {"__name__": "__main__"})
    assert "My name is Ada." in [message.text for message in client.asked[-1]]
    assert f"```text\n{capsys.readouterr().out}```" in README
