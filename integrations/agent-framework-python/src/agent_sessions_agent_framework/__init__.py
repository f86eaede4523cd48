# SPDX-License-Identifier: Apache-2.0
"""Stores the history and the sessions of Microsoft Agent Framework in Agent Sessions."""

from ._connection import AgentSessionsError as AgentSessionsError
from ._connection import Connection as Connection
from ._connection import TokenFunction as TokenFunction
from ._history import AgentHistoryProvider as AgentHistoryProvider
from ._store import AgentSessionStore as AgentSessionStore

__version__ = "0.1.0"
