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

use crate::client::{invalid, repeatable};
use crate::service::AgentSessionService;
use crate::{reading::read, session::session, wire};

/// The state of a session at one moment.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ExplainedState {
    /// The seq of the event right after which the session has this state, 0 for the beginning.
    pub seq: u64,
    /// Whether `user:` and `app:` keys have their current values, from any writer. If false, they have the values that
    /// this session had set by then.
    pub shared_state_current: bool,
    /// The keys with their values; shared keys include their prefix.
    #[serde(rename = "state")]
    pub keys: HashMap<String, ExplainedValue>,
}

/// A key of the state.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct ExplainedValue {
    /// The scope of the key: `session`, `user` or `app`.
    pub scope: String,
    /// The value of the key.
    pub value: Value,
    /// The event of this session that set the key. None if the key existed when the session was created, or if another
    /// writer has set it.
    pub event: Option<StateSource>,
}

/// The event that set a key.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct StateSource {
    /// The seq of the event.
    pub seq: u64,
    /// The id of the event.
    pub event_id: String,
    /// The author of the event.
    pub author: String,
    /// The time that the sender gave the event.
    #[serde(deserialize_with = "time")]
    pub timestamp: DateTime<Utc>,
}

/// Options of a fork: how much of a session to copy, and the name of the copy. Without `at_seq` and
/// `before_invocation_id`, the fork copies all events.
#[derive(Clone, Debug, Default)]
pub struct ForkOptions {
    /// The seq of the last event of the copy, 0 for none.
    pub at_seq: Option<u64>,
    /// The invocation before which the copy ends.
    pub before_invocation_id: Option<String>,
    /// The id of the copy; generated if not provided.
    pub new_session_id: Option<SessionId>,
    /// The display name of the copy; that of the session if not provided.
    pub display_name: Option<String>,
}

/// A function call that waits for a function response: for an event of the author `user` that has a function response
/// with the id of the call.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct PendingCall {
    /// The id of the event that contains the call.
    pub event_id: String,
    /// The seq of that event.
    pub seq: u64,
    /// The time at which the service stored that event.
    #[serde(deserialize_with = "time")]
    pub since: DateTime<Utc>,
    /// The call.
    pub function_call: PendingFunction,
}

/// The function call as the event contains it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct PendingFunction {
    /// The id of the call, and of its response.
    pub id: String,
    /// The name of the function; empty if the call has none.
    pub name: String,
    /// The arguments. None if they have more than 4,096 characters; read them from the event then.
    pub args: Option<Value>,
}

/// Features beyond ADK's session service: earlier states of sessions, forks, rewinds and pending calls.
impl AgentSessionService {
    /// Reads a session as it was right after an event, 0 for its beginning. This read does not count for the stale
    /// check of appends.
    ///
    /// # Errors
    ///
    /// [`crate::NOT_FOUND`], or an invalid input if the session has fewer events than `seq`.
    pub async fn session_at(&self, req: GetRequest, seq: u64) -> Result<Box<dyn Session>> {
        let request = self.reading(&req.try_identity()?, &req)?.query(&[("atSeq", seq)]);
        session(self.client(&req.user_id).send(request).await?.1)
    }

    /// Returns the current or an earlier state of a session, and which event set each key.
    ///
    /// # Errors
    ///
    /// [`crate::NOT_FOUND`], or an invalid input if the session has fewer events than `seq`.
    pub async fn state_at(&self, identity: &AdkIdentity, seq: Option<u64>) -> Result<ExplainedState> {
        let request = self.http.get(self.session_url(identity, &["state"])?).query(&[("atSeq", seq)]);
        from_value(self.client(identity.user_id.as_str()).send(request).await?.1).map_err(invalid)
    }

    /// Creates a session as a copy of another session of the user, and reads it. The original does not change.
    ///
    /// # Errors
    ///
    /// [`crate::NOT_FOUND`], [`crate::INVOCATION_NOT_FOUND`], [`crate::ALREADY_EXISTS`] if a session with the new id
    /// exists.
    pub async fn fork(&self, identity: &AdkIdentity, options: ForkOptions) -> Result<Box<dyn Session>> {
        let session_id = options.new_session_id.unwrap_or_else(SessionId::generate);
        let body = wire::present(json!({
            "sessionId": session_id, "atSeq": options.at_seq, "beforeInvocationId": options.before_invocation_id,
            "displayName": options.display_name,
        }));
        let request = repeatable(self.http.post(self.action_url(identity, "fork")?));
        let request = request.query(&[("numRecentEvents", 0)]).json(&body);
        self.client(identity.user_id.as_str()).send(request).await?;
        self.get_for_identity(&AdkIdentity { session_id, ..identity.clone() }).await
    }

    /// Returns the URL of an action on a session.
    pub(crate) fn action_url(&self, of: &AdkIdentity, verb: &str) -> Result<Url> {
        let action = format!("{}:{verb}", of.session_id.as_str());
        self.url(of.app_name.as_str(), of.user_id.as_str(), &[&action])
    }

    /// Returns a session to the point before an invocation. Appends ADK's rewind event, and fails as an append does.
    /// The session's own keys get their earlier values, null if they did not exist. Nothing is deleted. `context_view`
    /// omits the rewound events.
    ///
    /// # Errors
    ///
    /// [`crate::STALE`], [`crate::LEASE_LOST`], [`crate::NOT_FOUND`], [`crate::INVOCATION_NOT_FOUND`].
    pub async fn rewind_before(&self, identity: &AdkIdentity, invocation_id: &str) -> Result<Event> {
        let body = json!({ "beforeInvocationId": invocation_id, "eventId": Uuid::new_v4() });
        let request = self.appending(identity, self.action_url(identity, "rewind")?).json(&body);
        read(self.turn(identity, request, self.check_stale).await?["event"].take(), identity.session_id.as_str())
    }

    /// Lists all function calls of a session that wait for a function response, the oldest first.
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
    wire::time(&Value::deserialize(seconds)?).ok_or_else(|| serde::de::Error::custom("not a time"))
}
