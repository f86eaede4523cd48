// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

use std::ops::ControlFlow::{self, Break, Continue};
use std::time::Duration;

use adk_core::{AdkError, AdkIdentity, Result};
use adk_session::Event;
use futures::{StreamExt, stream::BoxStream, stream::try_unfold};
use reqwest::{RequestBuilder, Response, header::ETAG};
use serde_json::Value;
use tokio::time::timeout;

use crate::client::{Client, invalid};
use crate::reach::{Attempts, unavailable};
use crate::reading::read;
use crate::service::AgentSessionService;

/// These attempts take about a minute.
const ATTEMPTS: u32 = 12;
const PATIENCE: Duration = Duration::from_secs(60);

/// How long a connection may be silent before it counts as broken. By default, the service sends something every 15
/// seconds.
const LONGEST_SILENCE: Duration = Duration::from_secs(45);

/// The maximum time of a connection. It replaces the time-out of one attempt, which is for complete responses.
const LONGEST_CONNECTION: Duration = Duration::from_secs(3600);

/// An event of a session with its seq.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct WatchedEvent {
    /// 1 for the first event of the session, then 2, without a gap. It equals the revision of the session right after
    /// the event.
    pub seq: u64,
    /// The event.
    pub event: Event,
}

impl AgentSessionService {
    /// Returns the events of a session as writers append them. The watch begins after the event `after_seq`, 0 for all
    /// events; without it, with the next event that a writer appends.
    ///
    /// The watch reconnects when the connection breaks or the service restarts, and neither misses nor repeats an
    /// event. It ends when the session is deleted or expires. An error is the last item: the session does not exist
    /// ([`crate::NOT_FOUND`]), the client cannot reach the service for about a minute, or the service refuses to
    /// continue.
    ///
    /// # Errors
    ///
    /// If a name would change the path of the URL.
    pub fn watch(
        &self,
        identity: &AdkIdentity,
        after_seq: Option<u64>,
    ) -> Result<BoxStream<'static, Result<WatchedEvent>>> {
        let mut client = self.client(identity.user_id.as_str());
        client.reach.unavailable_timeout = PATIENCE;
        let watch = Watch {
            session_id: identity.session_id.to_string(),
            request: self.http.get(self.session_url(identity, &["events:watch"])?).timeout(LONGEST_CONNECTION),
            client,
            after_seq,
            last_id: None,
            creation: None,
            connection: None,
            received: Vec::new(),
            attempts: attempts(),
        };
        Ok(try_unfold(watch, |mut watch| async move { Ok(watch.next().await?.map(|event| (event, watch))) }).boxed())
    }
}

/// The state of one watch over all its connections.
struct Watch {
    session_id: String,
    request: RequestBuilder,
    client: Client,
    /// The seq of the last event.
    after_seq: Option<u64>,
    /// The id of the last message: the seq, a dot, and the time of the event.
    last_id: Option<String>,
    /// The key of the session, from its entity tag.
    creation: Option<String>,
    connection: Option<Response>,
    received: Vec<u8>,
    attempts: Attempts,
}

impl Watch {
    /// Returns the next event; none if the session is gone.
    async fn next(&mut self) -> Result<Option<WatchedEvent>> {
        loop {
            let broken = match self.message().await {
                Ok(Break(next)) => return Ok(next),
                Ok(Continue(())) => continue,
                Err(error) => error,
            };
            // The session existed before: now it is deleted, or a shorter session has its id.
            if self.creation.is_some() && matches!(broken.details.upstream_status_code, Some(400 | 404)) {
                return Ok(None);
            }
            self.connection = None;
            self.attempts.pause(broken).await?;
        }
    }

    /// Reads the next message: an event, the end, or nothing.
    async fn message(&mut self) -> Result<ControlFlow<Option<WatchedEvent>>> {
        if self.connection.is_none() && !timeout(LONGEST_SILENCE, self.connect()).await.map_err(broken)?? {
            return Ok(Break(None));
        }
        let (mut id, mut ends, mut data) = (None, false, None);
        loop {
            let line = self.line().await?;
            let (name, value) = line.split_once(':').unwrap_or((line.as_str(), ""));
            let value = value.strip_prefix(' ').unwrap_or(value);
            match name {
                "id" => id = Some(value.to_string()),
                "event" => ends = value == "end",
                "data" => data = Some(serde_json::from_str::<Value>(value).map_err(invalid)?),
                _ if line.is_empty() => break,
                _ => {}
            }
        }
        let seq = id.as_ref().and_then(|id| id.split('.').next()?.parse().ok());
        if seq.is_some() {
            (self.after_seq, self.last_id) = (seq, id);
        }
        Ok(match (data, seq) {
            // The watch reconnects with a new token.
            (Some(end), _) if ends && end["reason"] == "CREDENTIALS_EXPIRED" => Continue(()),
            _ if ends => Break(None),
            (Some(event), Some(seq)) => Break(Some(WatchedEvent { seq, event: read(event, &self.session_id)? })),
            _ => Continue(()),
        })
    }

    /// Requests the events after the last one. Returns false if another session has the id now.
    async fn connect(&mut self) -> Result<bool> {
        let request = self.client.authorized(&self.request).await?;
        let mut request = request.query(&[("afterSeq", self.after_seq)]);
        if let Some(id) = &self.last_id {
            request = request.header("Last-Event-ID", id);
        }
        let response = request.send().await;
        let response = response.map_err(|error| self.client.reach.failed(error))?;
        if !response.status().is_success() {
            return self.client.read(Ok(response)).await.map(|_| false);
        }
        self.client.reach.answered();
        // The tag contains the revision, then the key of the session.
        let tag = response.headers().get(ETAG).and_then(|tag| tag.to_str().ok()).unwrap_or_default();
        let creation = tag.trim_matches('"').split('.').nth(1).unwrap_or_default().to_string();
        let same = *self.creation.get_or_insert_with(|| creation.clone()) == creation;
        self.connection = Some(response);
        self.received.clear();
        self.attempts = attempts();
        Ok(same)
    }

    /// Returns the next line without its line end.
    async fn line(&mut self) -> Result<String> {
        let mut looked_at = 0;
        loop {
            if let Some(length) = self.received[looked_at..].iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.received.drain(..=looked_at + length).collect();
                return Ok(String::from_utf8_lossy(&line).trim_end_matches(['\r', '\n']).to_string());
            }
            looked_at = self.received.len();
            let Some(connection) = &mut self.connection else { return Err(broken("not connected")) };
            let more = timeout(LONGEST_SILENCE, connection.chunk()).await.map_err(broken)?;
            let more = more.map_err(|error| self.client.reach.failed(error))?;
            self.received.extend_from_slice(&more.ok_or_else(|| broken("the service has hung up"))?);
        }
    }
}

fn attempts() -> Attempts {
    Attempts::new(ATTEMPTS, PATIENCE)
}

fn broken(why: impl ToString) -> AdkError {
    unavailable(why.to_string())
}
