# SPDX-License-Identifier: Apache-2.0
"""Stores the sessions and files of ADK's agents in Agent Sessions, and finds what was said in them."""

from ._artifacts import AgentSessionArtifactService as AgentSessionArtifactService
from ._client import TokenFunction as TokenFunction
from ._errors import AgentSessionsError as AgentSessionsError
from ._errors import AlreadyExistsError as AlreadyExistsError
from ._errors import InvalidRequestError as InvalidRequestError
from ._errors import SessionNotFoundError as SessionNotFoundError
from ._errors import StaleSessionError as StaleSessionError
from ._history import ExplainedState as ExplainedState
from ._history import ExplainedValue as ExplainedValue
from ._history import StateSource as StateSource
from ._life import AgentSessionService as AgentSessionService
from ._memory import AgentSessionMemoryService as AgentSessionMemoryService
from ._pending import PendingCall as PendingCall
from ._registry import artifacts_from_uri as artifacts_from_uri
from ._registry import from_uri as from_uri
from ._registry import memory_from_uri as memory_from_uri
from ._registry import register as register
from ._turn import LeaseLostError as LeaseLostError
from ._turn import SessionBusyError as SessionBusyError
from ._turn import TurnLease as TurnLease
from ._turn import TurnLeasePlugin as TurnLeasePlugin
from ._watch import WatchedEvent as WatchedEvent

__version__ = "0.1.0"
