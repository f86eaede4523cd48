# SPDX-License-Identifier: Apache-2.0
"""Sessions of ADK's agents, kept in Agent Sessions."""

from google.adk.errors.already_exists_error import AlreadyExistsError
from google.adk.errors.session_not_found_error import SessionNotFoundError

from ._errors import AgentSessionsError, InvalidRequestError, StaleSessionError
from ._history import ExplainedState, ExplainedValue, StateSource
from ._registry import from_uri, register
from ._service import AgentSessionService, TokenFunction
from ._turn import LeaseLostError, SessionBusyError, TurnLease, TurnLeasePlugin
from ._watch import WatchedEvent

__version__ = "0.1.0"

__all__ = [
    "AgentSessionService",
    "AgentSessionsError",
    "AlreadyExistsError",
    "ExplainedState",
    "ExplainedValue",
    "InvalidRequestError",
    "LeaseLostError",
    "SessionBusyError",
    "SessionNotFoundError",
    "StaleSessionError",
    "StateSource",
    "TokenFunction",
    "TurnLease",
    "TurnLeasePlugin",
    "WatchedEvent",
    "from_uri",
    "register",
]
