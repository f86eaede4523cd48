# SPDX-License-Identifier: Apache-2.0
"""`python -m agent_sessions_adk copy`: the command line."""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys
import warnings

import httpx

from ._copy import Copy, Report
from ._errors import AgentSessionsError


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m agent_sessions_adk")
    commands = parser.add_subparsers(dest="command", required=True)
    copy = commands.add_parser(
        "copy",
        help="copy sessions from one store to another",
        description="Copies sessions with their events, ids, times, order and state. It may be repeated: what has been "
        "copied is left alone, so after an interruption it goes on.",
    )
    copy.add_argument("--from", dest="source", required=True, metavar="URI", help="session service URI, as adk has it")
    copy.add_argument("--to", dest="target", required=True, metavar="URI", help="likewise; one is agentsessions://...")
    copy.add_argument("--app", action="append", metavar="NAME", help="an app; again for another one")
    copy.add_argument("--user", metavar="ID", help="only this user's sessions")
    copy.add_argument("--agents-dir", default=".", metavar="DIR", help="where services.py or services.yaml is, if any")
    copy.add_argument("--dry-run", action="store_true", help="read everything and write nothing")
    copy.add_argument("--check", action="store_true", help="compare what has been copied, not only its time")
    copy.add_argument("--quiet", action="store_true", help="no progress")
    return parser


def _show(report: Report, end: str) -> None:
    print(f"\r{report.line()}", end=end, file=sys.stderr, flush=True)


def main() -> int:
    """Copies sessions and prints a report. Returns 0, or 1 if sessions were left out, or 2 after an error."""
    given = _arguments().parse_args()
    warnings.simplefilter("ignore")
    logging.getLogger("google_adk").setLevel(logging.ERROR)
    copy = Copy(
        given.source,
        given.target,
        apps=given.app,
        user=given.user,
        agents_dir=given.agents_dir,
        dry_run=given.dry_run,
        check=given.check,
        progress=None if given.quiet else lambda report: _show(report, ""),
    )
    try:
        report = asyncio.run(copy.run())
    except (ValueError, ImportError, AgentSessionsError, httpx.TransportError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    if not given.quiet:
        _show(report, "\n")
    print(report.text())
    return 1 if report.left_out else 0


if __name__ == "__main__":
    sys.exit(main())
