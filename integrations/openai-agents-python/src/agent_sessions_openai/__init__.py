# SPDX-License-Identifier: Apache-2.0
"""Stores the sessions of OpenAI Agents SDK in Agent Sessions."""

from ._connection import AgentSessionsError as AgentSessionsError
from ._connection import Connection as Connection
from ._connection import TokenFunction as TokenFunction
from ._session import AgentSession as AgentSession

__version__ = "0.1.0"
