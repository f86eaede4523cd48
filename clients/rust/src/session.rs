// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

use std::collections::HashMap;

use adk_core::Result;
use adk_session::{Event, Events, Session, State};
use chrono::{DateTime, Utc};
use serde_json::{Value, from_value};

use crate::{client::invalid, reading::read, wire};

/// A session as the client read it.
#[derive(serde::Deserialize)]
struct StoredSession {
    id: String,
    app_name: String,
    user_id: String,
    state: HashMap<String, Value>,
    #[serde(skip)]
    events: Vec<Event>,
    last_update_time: DateTime<Utc>,
}

pub(crate) fn session(mut body: Value) -> Result<Box<dyn Session>> {
    let events = from_value::<Vec<_>>(body["events"].take()).map_err(invalid)?;
    let session: StoredSession = from_value(wire::known(&body)).map_err(invalid)?;
    let events = events.into_iter().map(|event| read(event, &session.id)).collect::<Result<_>>()?;
    Ok(Box::new(StoredSession { events, ..session }))
}

#[rustfmt::skip] // getters
impl Session for StoredSession {
    fn id(&self) -> &str { &self.id }
    fn app_name(&self) -> &str { &self.app_name }
    fn user_id(&self) -> &str { &self.user_id }
    fn state(&self) -> &dyn State { self }
    fn events(&self) -> &dyn Events { self }
    fn last_update_time(&self) -> DateTime<Utc> { self.last_update_time }
}

#[rustfmt::skip]
impl State for StoredSession {
    fn get(&self, key: &str) -> Option<Value> { self.state.get(key).cloned() }
    fn set(&mut self, key: String, value: Value) { self.state.insert(key, value); }
    fn all(&self) -> HashMap<String, Value> { self.state.clone() }
}

#[rustfmt::skip]
impl Events for StoredSession {
    fn all(&self) -> Vec<Event> { self.events.clone() }
    fn len(&self) -> usize { self.events.len() }
    fn at(&self, index: usize) -> Option<&Event> { self.events.get(index) }
}
