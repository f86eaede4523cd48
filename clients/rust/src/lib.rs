// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

//! Stores the sessions of ADK agents in Agent Sessions.
//!
//! It uses the HTTP API of service versions 0.1 and later. To use it, change one line of an agent:
//!
//! ```no_run
//! # fn main() -> adk_core::Result<()> {
//! let sessions = std::sync::Arc::new(agent_sessions_adk::AgentSessionService::new("http://localhost:8080")?);
//! # Ok(())
//! # }
//! ```

mod artifact;
mod client;
mod history;
mod lease;
mod memory;
mod reach;
mod reading;
mod service;
mod session;
mod watch;
mod wire;

pub use artifact::AgentSessionArtifactService;
pub use client::{
    ALREADY_EXISTS, ARTIFACT_NOT_FOUND, BUSY, INVOCATION_NOT_FOUND, LEASE_LOST, NOT_FOUND, STALE, Token, UNAVAILABLE,
    always,
};
pub use history::{ExplainedState, ExplainedValue, ForkOptions, PendingCall, PendingFunction, StateSource};
pub use lease::{Lease, LeaseOptions};
pub use memory::AgentSessionMemoryService;
pub use service::{AgentSessionService, REMOVED};
pub use watch::WatchedEvent;
