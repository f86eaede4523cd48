// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

use std::{sync::Arc, sync::atomic::AtomicBool, time::Duration};

use adk_core::{AdkError, Content, ErrorCategory, ErrorComponent, Part, Result, async_trait};
use adk_memory::{MemoryEntry, MemoryService, SearchRequest, SearchResponse};
use reqwest::{Method, RequestBuilder, Url};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::client::{ALREADY_EXISTS, Client, NOT_FOUND, Token};
use crate::reach::{self, Reach};
use crate::{service::AgentSessionService, wire};

/// The maximum number of hits of a search and of facts of a list.
const MAX_LIMIT: usize = 100;

/// The maximum number of UTF-16 code units of a query. The service refuses a longer one, and a model call with a long
/// message should not fail for it.
const MAX_QUERY: usize = 2_000;

/// How long the client retries while it cannot connect: not long, because a model call waits for a search.
const PATIENCE: Duration = Duration::from_secs(5);

/// A [`MemoryService`] over HTTP. It finds what was said in the sessions that Agent Sessions stores, without a step
/// that saves them, and stores facts beside them. Any number of tasks may use it at the same time.
pub struct AgentSessionMemoryService {
    /// The HTTP client: its connection pool, TLS, and the time-out of one attempt. The default time-out is 30 seconds.
    pub http: reqwest::Client,
    /// Returns the token of a user. The default is the key in `AGENT_SESSIONS_API_KEY` for all users.
    pub token: Token,
    /// How long the client retries a request while it cannot connect; the default is 5 seconds.
    pub unavailable_timeout: Duration,
    /// The maximum number of memories of a search that has no limit of its own, 1 to 100; the default is 5.
    pub limit: usize,
    /// How many turns before and after a hit become lines of its text, 0 to 5; the default is 1.
    pub around: usize,
    /// The session in which the user talks now: a search leaves it out. The default is none. ADK does not tell a memory
    /// service in which session it searches.
    pub except_session: Option<String>,
    address: Url,
    away: Arc<AtomicBool>,
}

impl AgentSessionMemoryService {
    /// Returns the service at an address. An empty address means `AGENT_SESSIONS_URL`, or else `http://localhost:8080`.
    ///
    /// # Errors
    ///
    /// If the address does not begin with `http://` or `https://`, or TLS cannot be set up.
    pub fn new(address: &str) -> Result<Self> {
        let AgentSessionService { http, token, address, away, .. } = AgentSessionService::new(address)?;
        let (limit, around, except_session) = (5, 1, None);
        Ok(Self { http, token, unavailable_timeout: PATIENCE, limit, around, except_session, address, away })
    }

    fn request(&self, method: Method, app_name: &str, user_id: &str, below: &[&str]) -> Result<RequestBuilder> {
        let url = reach::url(&self.address, &[&["apps", app_name, "users", user_id], below].concat())?;
        Ok(self.http.request(method, url))
    }

    fn client(&self, user_id: &str) -> Client {
        let (address, away) = (self.address.clone(), self.away.clone());
        let reach = Reach { address, unavailable_timeout: self.unavailable_timeout, away };
        Client { user: user_id.into(), token: self.token.clone(), reach }
    }

    async fn send(&self, user_id: &str, request: RequestBuilder) -> Result<Value> {
        Ok(self.client(user_id).send(request).await?.1)
    }

    async fn find(&self, app_name: &str, user_id: &str, body: &Value) -> Result<Value> {
        self.send(user_id, self.request(Method::POST, app_name, user_id, &["events:search"])?.json(body)).await
    }

    async fn store(&self, app_name: &str, user_id: &str, fact: Value) -> Result<()> {
        let request = self.request(Method::POST, app_name, user_id, &["memories"])?;
        self.send(user_id, request.json(&wire::present(fact))).await.map(drop)
    }

    /// Deletes facts, and makes events unfindable. Returns how many ids there are.
    async fn delete(&self, app_name: &str, user_id: &str, found: &[Value]) -> Result<u64> {
        let ids = found.iter().filter_map(|each| each["id"].as_str());
        let mut deleted = 0;
        for id in ids {
            self.send(user_id, self.request(Method::DELETE, app_name, user_id, &["memories", id])?).await?;
            deleted += 1;
        }
        Ok(deleted)
    }

    /// Returns the newest facts.
    async fn facts(&self, app_name: &str, user_id: &str, most: usize) -> Result<Vec<Value>> {
        let (mut facts, mut page) = (Vec::new(), None::<String>);
        while facts.len() < most {
            let query = (("limit", MAX_LIMIT.min(most - facts.len())), ("pageToken", page));
            let request = self.request(Method::GET, app_name, user_id, &["memories"])?.query(&query);
            page = take_page(self.send(user_id, request).await?, "memories", &mut facts);
            if page.is_none() {
                break;
            }
        }
        Ok(facts)
    }

    /// Whether Agent Sessions stores the session; if so, indexes it.
    async fn is_stored(&self, app_name: &str, user_id: &str, session_id: &str) -> Result<bool> {
        let request = self.request(Method::PATCH, app_name, user_id, &["memory"])?;
        match self.send(user_id, request.json(&json!({ "sessionId": session_id }))).await {
            Err(error) if error.code == NOT_FOUND => Ok(false),
            answer => answer.map(|_| true),
        }
    }
}

#[async_trait]
impl MemoryService for AgentSessionMemoryService {
    /// Needed only for sessions of another session service: their entries are stored as facts, once each. A search
    /// finds all events of sessions that Agent Sessions stores, without this call.
    async fn add_session(
        &self,
        app_name: &str,
        user_id: &str,
        session_id: &str,
        entries: Vec<MemoryEntry>,
    ) -> Result<()> {
        if !session_id.is_empty() && self.is_stored(app_name, user_id, session_id).await? {
            return Ok(());
        }
        for MemoryEntry { content, author, timestamp } in entries {
            let texts: Vec<_> =
                content.parts.iter().filter_map(Part::text).filter(|text| !text.trim().is_empty()).collect();
            if texts.is_empty() {
                continue;
            }
            let name = json!(["agent-sessions", session_id, author, timestamp, texts]).to_string();
            let parts: Vec<_> = texts.iter().map(|text| json!({ "text": text })).collect();
            let fact = json!({
                "id": Uuid::new_v5(&Uuid::NAMESPACE_URL, name.as_bytes()),
                "content": { "role": content.role, "parts": parts },
                "author": known(&author),
                "timestamp": timestamp,
                "metadata": { "session_id": session_id },
            });
            match self.store(app_name, user_id, fact).await {
                Err(error) if error.code != ALREADY_EXISTS => return Err(error),
                _ => {}
            }
        }
        Ok(())
    }

    /// Returns what was said and the facts that match best. An event with the same words as the query is no memory.
    /// Every text is a query; a blank one finds nothing.
    ///
    /// # Errors
    ///
    /// If the request has a project, which this service does not know.
    async fn search(&self, req: SearchRequest) -> Result<SearchResponse> {
        if req.project_id.is_some() {
            let (component, category) = (ErrorComponent::Memory, ErrorCategory::Unsupported);
            return Err(AdkError::new(component, category, "memory.no_projects", "Agent Sessions knows no projects"));
        }
        let limit = req.limit.unwrap_or(self.limit).min(MAX_LIMIT);
        if req.query.trim().is_empty() || limit == 0 {
            return Ok(SearchResponse { memories: Vec::new() });
        }
        let min_score = req.min_score.map(|score| score.clamp(0.0, 1.0)); // NaN is null in JSON, which is not sent
        let body = wire::present(json!({
            "q": cut(&req.query), "mode": "text", "exceptSessionId": self.except_session, "minScore": min_score,
            "limit": limit, "around": self.around, "facts": true,
        }));
        let found = self.find(&req.app_name, &req.user_id, &body).await?;
        Ok(SearchResponse { memories: found["hits"].as_array().into_iter().flatten().map(entry).collect() })
    }

    /// Deletes all facts about a user. What the user has said stays, and is found: it belongs to the sessions. Erasing
    /// a user with all sessions is one request of an administrator.
    async fn delete_user(&self, app_name: &str, user_id: &str) -> Result<()> {
        let facts = self.facts(app_name, user_id, usize::MAX).await?;
        self.delete(app_name, user_id, &facts).await.map(drop)
    }

    /// Makes all events of a session unfindable, later ones, too: gives it the label `memory` = `off`. The session
    /// keeps its events. Deletes the facts that [`Self::add_session`] has stored for it.
    async fn delete_session(&self, app_name: &str, user_id: &str, session_id: &str) -> Result<()> {
        let mut facts = self.facts(app_name, user_id, usize::MAX).await?;
        facts.retain(|fact| fact["metadata"]["session_id"] == session_id);
        self.delete(app_name, user_id, &facts).await?;
        let session = |method| self.request(method, app_name, user_id, &["sessions", session_id]);
        let mut labels = match self.send(user_id, session(Method::GET)?.query(&[("numRecentEvents", 0)])).await {
            Err(error) if error.code == NOT_FOUND => return Ok(()),
            answer => answer?["labels"].take(),
        };
        labels["memory"] = json!("off");
        self.send(user_id, session(Method::PATCH)?.json(&json!({ "labels": labels }))).await.map(drop)
    }

    /// Stores a fact.
    async fn add_entry(&self, app_name: &str, user_id: &str, entry: MemoryEntry) -> Result<()> {
        let MemoryEntry { content, author, timestamp } = entry;
        // The client generates the id, so that a retry after a lost response stores the fact only once.
        let (id, content) = (Uuid::new_v4(), wire::written(&content));
        let fact = json!({ "id": id, "content": content, "author": known(&author), "timestamp": timestamp });
        self.store(app_name, user_id, fact).await
    }

    /// Deletes the facts that have all words of the query, and makes the events that have them unfindable; their
    /// sessions keep them. Returns how many these are. A search needs only one of the words.
    async fn delete_entries(&self, app_name: &str, user_id: &str, query: &str) -> Result<u64> {
        let words: Vec<_> =
            query.split(|c: char| c.is_whitespace() || c == '"' || c == '\\').filter(|word| !word.is_empty()).collect();
        if words.is_empty() {
            return Ok(0);
        }
        // A word in quotes is required, and none of its characters is an operator
        let required: Vec<_> = words.iter().map(|word| format!("\"{word}\"")).collect();
        let mut body = json!({ "q": required.join(" "), "limit": MAX_LIMIT, "facts": true });
        let mut found = Vec::new();
        loop {
            let page = take_page(self.find(app_name, user_id, &body).await?, "hits", &mut found);
            if page.is_none() {
                return self.delete(app_name, user_id, &found).await;
            }
            body["pageToken"] = json!(page);
        }
    }

    /// Lists the newest facts. What was said is in the sessions.
    async fn list_recent(&self, app_name: &str, user_id: &str, limit: usize) -> Result<Vec<MemoryEntry>> {
        Ok(self.facts(app_name, user_id, limit).await?.iter().map(entry).collect())
    }

    /// Succeeds if the service can serve requests now.
    async fn health_check(&self) -> Result<()> {
        let request = self.http.get(reach::url(&self.address, &["health"])?);
        self.client("").read(request.send().await).await.map(drop)
    }
}

/// Moves the items of a page to the others, and returns the token of the next page.
fn take_page(mut page: Value, name: &str, items: &mut Vec<Value>) -> Option<String> {
    items.append(page[name].as_array_mut().unwrap_or(&mut Vec::new()));
    page["nextPageToken"].as_str().map(String::from)
}

/// Converts a hit or a fact. The turns around a hit are lines of its text, so that a model sees the whole exchange.
fn entry(hit: &Value) -> MemoryEntry {
    let turns = |name: &str| hit[name].as_array().into_iter().flatten();
    let near: Vec<_> = turns("before").chain([hit]).chain(turns("after")).collect();
    let mut content = wire::read_content(&hit["content"]).unwrap_or_else(|| Content::new("user"));
    if near.len() > 1 {
        let lines: Vec<_> = near.iter().map(|turn| format!("{}: {}", author(turn), text(turn))).collect();
        content.parts = vec![Part::Text { text: lines.join("\n") }];
    }
    let timestamp = wire::time(&hit["timestamp"]).unwrap_or_default();
    MemoryEntry { content, author: author(hit).into(), timestamp }
}

fn author(turn: &Value) -> &str {
    turn["author"].as_str().unwrap_or_default()
}

fn text(turn: &Value) -> String {
    let parts = turn["content"]["parts"].as_array().into_iter().flatten();
    parts.filter_map(|part| part["text"].as_str()).collect::<Vec<_>>().join("\n")
}

fn known(author: &str) -> Option<&str> {
    Some(author).filter(|author| !author.is_empty())
}

/// Cuts a query to the length that the service allows.
fn cut(query: &str) -> &str {
    let mut units = 0;
    let beyond = query.char_indices().find(|(_, character)| {
        units += character.len_utf16();
        units > MAX_QUERY
    });
    beyond.map_or(query, |(end, _)| &query[..end])
}
