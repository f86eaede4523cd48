"""Runs the program of the README without changes, with a scripted model."""

import re
import sys
from pathlib import Path

import pytest
from claude_agent_sdk._internal.transport.subprocess_cli import SubprocessCLITransport

HERE = Path(__file__).parent
README = (HERE.parent / "README.md").read_text()
PAGE = HERE.parents[2] / "docs" / "frameworks.md"  # not in the package
(PROGRAM,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


def test_the_program_prints_what_the_page_says(
    url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (HERE / "quickstart.py").read_text() == PROGRAM
    assert not PAGE.exists() or PROGRAM in PAGE.read_text()
    claude = tmp_path / "claude"
    claude.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{HERE / "scripted_claude.py"}" "$@"\n')
    claude.chmod(0o755)
    monkeypatch.setattr(SubprocessCLITransport, "_find_bundled_cli", lambda _: None)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "config"))
    monkeypatch.setenv("AGENT_SESSIONS_URL", url)
    monkeypatch.chdir(tmp_path)
    exec(PROGRAM, {"__name__": "__main__"})
    assert f"```text\n{capsys.readouterr().out}```" in README
