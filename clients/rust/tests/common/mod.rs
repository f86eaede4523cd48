// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

#![allow(dead_code)] // some tests use only a part

use std::{env, error::Error, fmt::Debug, sync::Arc, sync::Mutex};

use adk_core::{AdkError, AdkIdentity, AppName, Content, SessionId, UserId};
use adk_session::{AppendEventRequest, CreateRequest, Event, Session, SessionService};
use agent_sessions_adk::AgentSessionService;
use chrono::{DateTime, Duration, Utc};
use reqwest::Client;
use serde_json::{Value, from_value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::{net::TcpListener, task::JoinHandle};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Metadata, Subscriber};
use uuid::Uuid;

pub type Outcome = Result<(), Box<dyn Error>>;

/// Returns the service, and an app without data; none if no service runs.
pub fn service() -> Option<(AgentSessionService, String)> {
    env::var("AGENT_SESSIONS_URL").ok()?;
    Some((AgentSessionService::new("").unwrap(), format!("rust-{}", Uuid::new_v4())))
}

pub fn identity(app: &str, user: &str, id: &str) -> Result<AdkIdentity, AdkError> {
    Ok(AdkIdentity::new(AppName::try_from(app)?, UserId::try_from(user)?, SessionId::try_from(id)?))
}

pub async fn create(service: &dyn SessionService, app: &str, state: Value) -> Result<Box<dyn Session>, AdkError> {
    create_with(service, app, "alice", None, state).await
}

pub async fn create_with(
    service: &dyn SessionService,
    app: &str,
    user: &str,
    id: Option<&str>,
    state: Value,
) -> Result<Box<dyn Session>, AdkError> {
    let (app_name, user_id, session_id) = (app.into(), user.into(), id.map(String::from));
    service.create(CreateRequest { app_name, user_id, session_id, state: from_value(state).unwrap() }).await
}

pub async fn get(service: &dyn SessionService, session: &dyn Session) -> Result<Box<dyn Session>, AdkError> {
    service.get_for_identity(&session.try_identity()?).await
}

pub async fn append(service: &dyn SessionService, session: &dyn Session, event: Event) -> Result<(), AdkError> {
    service.append_event_for_identity(AppendEventRequest { identity: session.try_identity()?, event }).await
}

pub fn time(number: i64) -> DateTime<Utc> {
    "2026-01-01T00:00:00.123456Z".parse::<DateTime<Utc>>().unwrap() + Duration::seconds(number)
}

pub fn event(number: i64, delta: Value) -> Event {
    let mut event = Event::new(format!("i-{number}"));
    event.author = "user".into();
    event.timestamp = time(number);
    event.llm_response.content = Some(Content::new("user").with_text(format!("message {number}")));
    event.actions.state_delta = from_value(delta).unwrap();
    event
}

pub fn ids(session: &dyn Session) -> Vec<String> {
    session.events().all().into_iter().map(|event| event.id).collect()
}

/// Sends plain HTTP, as clients in other languages do.
pub async fn call(method: &str, url: &str, body: Option<Value>) -> Result<Value, Box<dyn Error>> {
    let service = env::var("AGENT_SESSIONS_URL")?;
    let url = if url.starts_with('/') { service + url } else { url.into() };
    let request = Client::new().request(method.parse()?, url).json(&body.unwrap_or_else(|| json!({})));
    let key = env::var("AGENT_SESSIONS_API_KEY").unwrap_or_default();
    Ok(request.bearer_auth(key).send().await?.error_for_status()?.json().await?)
}

/// Starts a server that gives these responses, and then returns the requests.
pub async fn answering<const N: usize>(
    answers: [String; N],
) -> Result<(String, JoinHandle<Vec<String>>), Box<dyn Error>> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let url = format!("http://{}", listener.local_addr()?);
    let asked = tokio::spawn(async move {
        let mut asked = Vec::new();
        for answer in answers {
            let (mut connection, _) = listener.accept().await.unwrap();
            let mut request = vec![0; 10_000];
            let length = connection.read(&mut request).await.unwrap();
            asked.push(String::from_utf8_lossy(&request[..length]).into_owned());
            connection.write_all(answer.as_bytes()).await.unwrap();
        }
        asked
    });
    Ok((url, asked))
}

/// Stores what this package logs, and calls a function after each line.
#[derive(Clone)]
pub struct Log(Arc<Mutex<Vec<String>>>, Arc<dyn Fn() + Send + Sync>);

impl Log {
    pub fn new(then: impl Fn() + Send + Sync + 'static) -> Self {
        Self(Arc::default(), Arc::new(then))
    }

    pub fn lines(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }
}

impl Visit for Log {
    fn record_debug(&mut self, _: &Field, value: &dyn Debug) {
        self.0.lock().unwrap().push(format!("{value:?}"));
    }
}

impl Subscriber for Log {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("agent_sessions_adk")
    }

    fn event(&self, event: &tracing::Event<'_>) {
        event.record(&mut self.clone());
        (self.1)();
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}
