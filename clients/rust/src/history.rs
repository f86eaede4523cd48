// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

use std::collections::HashMap;

use adk_core::{AdkIdentity, Result, SessionId};
use adk_session::{Event, GetRequest, Session, SessionService};
use chrono::{DateTime, Utc};
use reqwest::Url;
use serde::{Deserialize, Deserializer};
use serde_json::{Value, from_value, json};
use uuid::Uuid;

use crate::client::{ALREADY_EXISTS, invalid};
use crate::service::AgentSessionService;
use crate::{session::session, wire};

/// The state of a session at one moment.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ExplainedState {
    /// The event right after which it was so, 0 for the beginning.
    pub seq: u64,
    /// Whether `user:` and `app:` keys have their values of today, whoever set them; if not, they are those that this
    /// session had set by then.
    pub shared_state_current: bool,
    /// The keys, shared ones under their prefix.
    #[serde(rename = "state")]
    pub keys: HashMap<String, ExplainedValue>,
}

/// A key of the state.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct ExplainedValue {
    /// Whose it is: `session`, `user` or `app`.
    pub scope: String,
    /// Its value.
    pub value: Value,
    /// The event of this session that set it; none if it was there when the session was created, or somebody else has
    /// set it.
    pub event: Option<StateSource>,
}

/// An event that gave a key its value.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct StateSource {
    /// Its place in the history.
    pub seq: u64,
    /// Its id.
    pub event_id: String,
    /// Who sent it.
    pub author: String,
    /// The time that its sender gave it.
    #[serde(deserialize_with = "time")]
    pub timestamp: DateTime<Utc>,
}

/// How much of a session is copied, and where to. Without `at_seq` and `before_invocation_id` it is all.
#[derive(Clone, Debug, Default)]
pub struct ForkOptions {
    /// The last event of the copy, 0 for none.
    pub at_seq: Option<u64>,
    /// The invocation before which the copy ends.
    pub before_invocation_id: Option<String>,
    /// The id of the copy; generated if not provided.
    pub new_session_id: Option<SessionId>,
    /// Its name for people; that of the session if not provided.
    pub display_name: Option<String>,
}

/// A function call that waits for somebody's answer: for an event of the author `user` that has a function response
/// with the id of the call.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct PendingCall {
    /// The event that it is in.
    pub event_id: String,
    /// The place of that event in the history.
    pub seq: u64,
    /// When that event was stored.
    #[serde(deserialize_with = "time")]
    pub since: DateTime<Utc>,
    /// The call.
    pub function_call: PendingFunction,
}

/// What an agent calls, as it stands in the event.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct PendingFunction {
    /// The id of the call, and of its answer.
    pub id: String,
    /// The function; blank if the call names none.
    pub name: String,
    /// Its arguments; none if they have more than 4,096 characters, then they stand in the event.
    pub args: Option<Value>,
}

/// What the session service can do beyond ADK's: read sessions as they were, fork them, rewind them, and list what they
/// wait for.
impl AgentSessionService {
    /// Reads a session as it was right after an event, 0 for its beginning. This does not count as read for appends.
    ///
    /// # Errors
    ///
    /// [`crate::NOT_FOUND`], or an invalid input if it does not have so many events.
    pub async fn session_at(&self, req: GetRequest, seq: u64) -> Result<Box<dyn Session>> {
        let request = self.reading(&req.try_identity()?, &req)?.query(&[("atSeq", seq)]);
        session(self.client(&req.user_id).send(request).await?.1)
    }

    /// Explains the state that a session has, or had right after an event: which event set which key.
    ///
    /// # Errors
    ///
    /// [`crate::NOT_FOUND`], or an invalid input if it does not have so many events.
    pub async fn state_at(&self, identity: &AdkIdentity, seq: Option<u64>) -> Result<ExplainedState> {
        let request = self.http.get(self.session_url(identity, &["state"])?).query(&[("atSeq", seq)]);
        from_value(self.client(identity.user_id.as_str()).send(request).await?.1).map_err(invalid)
    }

    /// Creates a session as a copy of another one of the user, which stays as it is, and reads it.
    ///
    /// # Errors
    ///
    /// [`crate::NOT_FOUND`], [`crate::INVOCATION_NOT_FOUND`], [`crate::ALREADY_EXISTS`] if there is one with the new id.
    pub async fn fork(&self, identity: &AdkIdentity, options: ForkOptions) -> Result<Box<dyn Session>> {
        let chosen = options.new_session_id.is_some();
        // An id of our own, so that the request can be sent again if its answer gets lost.
        let session_id = options.new_session_id.unwrap_or_else(SessionId::generate);
        let body = wire::present(json!({
            "sessionId": session_id, "atSeq": options.at_seq, "beforeInvocationId": options.before_invocation_id,
            "displayName": options.display_name,
        }));
        let request = self.http.post(self.action_url(identity, "fork")?).query(&[("numRecentEvents", 0)]).json(&body);
        match self.client(identity.user_id.as_str()).send(request).await {
            Err(error) if chosen || error.code != ALREADY_EXISTS => Err(error),
            _ => self.get_for_identity(&AdkIdentity { session_id, ..identity.clone() }).await,
        }
    }

    /// Where something is done to a session.
    pub(crate) fn action_url(&self, of: &AdkIdentity, verb: &str) -> Result<Url> {
        let action = format!("{}:{verb}", of.session_id.as_str());
        self.url(of.app_name.as_str(), of.user_id.as_str(), &[&action])
    }

    /// Takes a session back to before an invocation: appends the event with which ADK does that, and fails as an append
    /// does. The session's own keys get the values that they had then, null if they were not there; nothing is deleted.
    /// `context_view` leaves out of the events what was rewound.
    ///
    /// # Errors
    ///
    /// [`crate::STALE`], [`crate::LEASE_LOST`], [`crate::NOT_FOUND`], [`crate::INVOCATION_NOT_FOUND`].
    pub async fn rewind_before(&self, identity: &AdkIdentity, invocation_id: &str) -> Result<Event> {
        let body = json!({ "beforeInvocationId": invocation_id, "eventId": Uuid::new_v4() });
        let request = self.appending(identity, self.action_url(identity, "rewind")?).json(&body);
        wire::read(&self.turn(identity, request, self.check_stale).await?["event"])
    }

    /// Lists all function calls of a session that wait for somebody's answer, the oldest first.
    ///
    /// # Errors
    ///
    /// [`crate::NOT_FOUND`].
    pub async fn pending_calls(&self, identity: &AdkIdentity) -> Result<Vec<PendingCall>> {
        let url = self.session_url(identity, &["pending"])?;
        let (mut calls, mut page) = (Vec::new(), None::<String>);
        loop {
            let request = self.http.get(url.clone()).query(&[("pageToken", page)]);
            let mut body = self.client(identity.user_id.as_str()).send(request).await?.1;
            calls.extend(from_value::<Vec<_>>(body["pending"].take()).map_err(invalid)?);
            page = body["nextPageToken"].as_str().map(String::from);
            if page.is_none() {
                return Ok(calls);
            }
        }
    }
}

fn time<'de, D: Deserializer<'de>>(seconds: D) -> std::result::Result<DateTime<Utc>, D::Error> {
    let seconds = Value::deserialize(seconds)?;
    from_value(wire::other_time(&seconds)).map_err(serde::de::Error::custom)
}
