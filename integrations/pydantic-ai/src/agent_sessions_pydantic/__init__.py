# SPDX-License-Identifier: Apache-2.0
"""Stores the conversations of Pydantic AI in Agent Sessions."""

from ._connection import AgentSessionsError as AgentSessionsError
from ._connection import Connection as Connection
from ._connection import TokenFunction as TokenFunction
from ._store import AgentSessionsStore as AgentSessionsStore

__version__ = "0.1.0"
