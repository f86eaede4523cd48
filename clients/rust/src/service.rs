// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

use std::sync::{Arc, Mutex, atomic::AtomicBool};
use std::{collections::HashMap, env, mem, time::Duration};

use adk_core::{AdkIdentity, Result, SessionId, async_trait};
use adk_session::{AppendEventRequest, CreateRequest, DeleteRequest, Event, GetRequest, ListRequest};
use adk_session::{KEY_PREFIX_TEMP, Session, SessionService};
use chrono::SecondsFormat;
use reqwest::header::{ETAG, HeaderMap, HeaderValue, IF_MATCH};
use reqwest::{RequestBuilder, Url};
use serde_json::{Value, from_value, json};
use uuid::Uuid;

use crate::client::{Client, Token, always, invalid, repeatable};
use crate::reach::{self, Reach};
use crate::{lease::Leases, session::session, wire};

/// The value in a state delta that removes its key. Null is a value like any other.
pub const REMOVED: &str = "__ADK_SENTINEL_REMOVED__";

/// The maximum number of sessions whose last entity tag the client remembers.
const REMEMBERED: usize = 10_000;

/// The time-out of one attempt, and how long the client retries while it cannot connect.
const PATIENCE: Duration = Duration::from_secs(30);

/// The entity tag of the last read or append. Requests about one session run one after the other, since each append
/// makes a concurrent one stale.
type LastRead = Arc<tokio::sync::Mutex<Option<HeaderValue>>>;

/// A [`SessionService`] over HTTP. Any number of tasks may use it at the same time.
///
/// ADK does not say to which session object an event is appended. So the stale check of an append uses the last read or
/// append through this service object.
pub struct AgentSessionService {
    /// The HTTP client: its connection pool, TLS, and the time-out of one attempt. The default time-out is 30 seconds.
    pub http: reqwest::Client,
    /// Returns the token of a user. The default is the key in `AGENT_SESSIONS_API_KEY` for all users.
    pub token: Token,
    /// Whether an append fails if the session has changed since this service object read it. The default is true.
    pub check_stale: bool,
    /// Whether to read only the events of a session that its model may see, without rewound and summarised events. The
    /// default is false.
    pub context_view: bool,
    /// How long the client retries a request while it cannot connect; the default is 30 seconds. It logs the first
    /// failure as a warning of `tracing`. Errors that waiting cannot fix fail at once: an unknown host, an untrusted
    /// certificate, another protocol.
    pub unavailable_timeout: Duration,
    pub(crate) leases: Leases,
    pub(crate) address: Url,
    pub(crate) away: Arc<AtomicBool>,
    /// The recently used sessions, and the ones used before them.
    last_reads: Mutex<[HashMap<AdkIdentity, LastRead>; 2]>,
}

impl AgentSessionService {
    /// Returns the service at an address. An empty address means `AGENT_SESSIONS_URL`, or else `http://localhost:8080`.
    ///
    /// # Errors
    ///
    /// If the address does not begin with `http://` or `https://`, or TLS cannot be set up.
    pub fn new(address: &str) -> Result<Self> {
        let configured = env::var("AGENT_SESSIONS_URL").unwrap_or_else(|_| "http://localhost:8080".into());
        let address = reach::address(if address.is_empty() { &configured } else { address })?;
        let http = reqwest::Client::builder().connect_timeout(Duration::from_secs(10)).timeout(PATIENCE);
        let http = http.build().map_err(invalid)?;
        let token = always(env::var("AGENT_SESSIONS_API_KEY").unwrap_or_default());
        let (check_stale, context_view, unavailable_timeout) = (true, false, PATIENCE);
        let (leases, away, last_reads) = Default::default();
        Ok(Self { http, token, check_stale, context_view, unavailable_timeout, leases, address, away, last_reads })
    }

    /// Returns the client for the requests of a user.
    pub(crate) fn client(&self, user: &str) -> Client {
        let (address, away) = (self.address.clone(), self.away.clone());
        let reach = Reach { address, unavailable_timeout: self.unavailable_timeout, away };
        Client { user: user.into(), token: self.token.clone(), reach }
    }

    /// Sends a request about a session, and remembers the entity tag of the response. A conditional request requires
    /// the remembered entity tag.
    pub(crate) async fn turn(&self, of: &AdkIdentity, request: RequestBuilder, conditional: bool) -> Result<Value> {
        let last_read = {
            let [recent, older] = &mut *self.last_reads.lock().expect("nothing panics that holds it");
            if recent.len() >= REMEMBERED / 2 {
                *older = mem::take(recent);
            }
            let known = older.remove(of).unwrap_or_default();
            recent.entry(of.clone()).or_insert(known).clone()
        };
        let mut tag = last_read.lock().await;
        let condition = tag.clone().filter(|_| conditional).map(|tag| (IF_MATCH, tag));
        let request = request.headers(HeaderMap::from_iter(condition));
        let (mut headers, body) = self.client(of.user_id.as_str()).send(request).await?;
        *tag = headers.remove(ETAG);
        Ok(body)
    }

    /// Appends an event if the session has not changed since this object was read, through any service object. Fails
    /// with [`crate::STALE`] otherwise. The `last_update_time` of an object identifies its revision, also for a copy
    /// that was stored elsewhere. The object does not change: read the session again before the next append, or use
    /// `append_event_for_identity` for the next append.
    ///
    /// # Errors
    ///
    /// [`crate::STALE`], [`crate::LEASE_LOST`], [`crate::NOT_FOUND`].
    pub async fn append_event_to(&self, session: &dyn Session, event: Event) -> Result<()> {
        let identity = session.try_identity()?;
        let mut url = self.session_url(&identity, &["events"])?;
        if self.check_stale {
            let time = session.last_update_time().to_rfc3339_opts(SecondsFormat::Micros, true);
            url.query_pairs_mut().append_pair("lastUpdateTime", &time);
        }
        self.append(AppendEventRequest { identity, event }, url, false).await
    }

    async fn append(&self, req: AppendEventRequest, url: Url, conditional: bool) -> Result<()> {
        let AppendEventRequest { identity, mut event } = req;
        if event.llm_response.partial {
            return Ok(());
        }
        if event.id.is_empty() {
            event.id = Uuid::new_v4().to_string();
        }
        event.actions.state_delta.retain(|key, _| !key.starts_with(KEY_PREFIX_TEMP));
        let request = self.appending(&identity, url).json(&wire::write(event)?);
        self.turn(&identity, request, conditional).await.map(drop)
    }

    /// Returns the URL of a resource of a user.
    pub(crate) fn url(&self, app_name: &str, user_id: &str, below: &[&str]) -> Result<Url> {
        reach::url(&self.address, &[&["apps", app_name, "users", user_id, "sessions"], below].concat())
    }

    pub(crate) fn session_url(&self, of: &AdkIdentity, below: &[&str]) -> Result<Url> {
        self.url(of.app_name.as_str(), of.user_id.as_str(), &[&[of.session_id.as_str()], below].concat())
    }

    /// Returns the request that reads a session.
    pub(crate) fn reading(&self, identity: &AdkIdentity, req: &GetRequest) -> Result<RequestBuilder> {
        let view = self.context_view.then_some("context");
        let query = (("numRecentEvents", req.num_recent_events), ("afterTimestamp", req.after), ("view", view));
        Ok(self.http.get(self.session_url(identity, &[])?).query(&query))
    }
}

#[async_trait]
impl SessionService for AgentSessionService {
    async fn create(&self, mut req: CreateRequest) -> Result<Box<dyn Session>> {
        let id = req.try_session_id()?.unwrap_or_else(SessionId::generate);
        let identity = AdkIdentity::new(req.try_app_name()?, req.try_user_id()?, id);
        req.state.retain(|key, _| !key.starts_with(KEY_PREFIX_TEMP));
        let body = json!({ "sessionId": identity.session_id, "state": req.state });
        let request = repeatable(self.http.post(self.url(&req.app_name, &req.user_id, &[])?)).json(&body);
        session(self.turn(&identity, request, false).await?)
    }

    async fn get(&self, req: GetRequest) -> Result<Box<dyn Session>> {
        let identity = req.try_identity()?;
        session(self.turn(&identity, self.reading(&identity, &req)?, false).await?)
    }

    /// Lists the sessions of a user without events, the last updated first.
    async fn list(&self, req: ListRequest) -> Result<Vec<Box<dyn Session>>> {
        let url = self.url(&req.app_name, &req.user_id, &[])?;
        let offset = req.offset.unwrap_or_default();
        let end = req.limit.map_or(usize::MAX, |limit| limit.saturating_add(offset));
        let (mut found, mut page, client) = (Vec::new(), None::<String>, self.client(&req.user_id));
        loop {
            let query = (("order", "desc"), ("includeEval", "true"), ("pageToken", page));
            let (headers, body) = client.send(self.http.get(url.clone()).query(&query)).await?;
            found.extend(from_value::<Vec<_>>(body).map_err(invalid)?);
            page = headers.get("x-next-page-token").and_then(|token| Some(token.to_str().ok()?.into()));
            if page.is_none() || found.len() >= end {
                return found.into_iter().take(end).skip(offset).map(session).collect();
            }
        }
    }

    /// Deletes a session. Succeeds if the session does not exist.
    async fn delete(&self, req: DeleteRequest) -> Result<()> {
        let identity = req.try_identity()?;
        self.turn(&identity, self.http.delete(self.session_url(&identity, &[])?), false).await.map(drop)
    }

    /// Appends to the session with this id that was created or read through this service object.
    async fn append_event(&self, session_id: &str, event: Event) -> Result<()> {
        let known = self.last_reads.lock().expect("nothing panics that holds it").clone().into_iter().flatten();
        let mut known = known.map(|(known, _)| known).filter(|known| known.session_id.as_str() == session_id);
        match (known.next(), known.next()) {
            (Some(identity), None) => self.append_event_for_identity(AppendEventRequest { identity, event }).await,
            _ => Err(invalid(format!("no or several sessions {session_id} are known: use append_event_for_identity"))),
        }
    }

    /// Appends an event. Fails with [`crate::STALE`] if the session has other events than this service object has read.
    /// Appends to one session run one after the other. Partial events are not stored.
    async fn append_event_for_identity(&self, req: AppendEventRequest) -> Result<()> {
        let url = self.session_url(&req.identity, &["events"])?;
        self.append(req, url, self.check_stale).await
    }
}
