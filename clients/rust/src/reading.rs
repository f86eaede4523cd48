// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

//! Reads events of any ADK.

use std::{collections::HashMap, collections::HashSet, sync::LazyLock, sync::Mutex};

use adk_core::{Event, EventActions, Result, UsageMetadata};
use serde_json::{Map, Value, from_value, json};

use crate::client::invalid;
use crate::wire::{self, OWN};

/// The key of the metadata with the paths of what could not be read; the clients in all languages use it.
const UNREADABLE: &str = "agent_sessions_unreadable";

const MOST_REPORTED: usize = 1_000;

/// The types of the fields that ADK Rust knows, by their name in events, wherever they are. The fields of an object
/// follow its name if ADK Rust cannot hold it without them. Other fields may be anything.
const KINDS: &str = "
    text: id author branch invocationId llmRequest errorCode errorMessage interactionId transferToAgent
    text: role text name mimeType fileUri
    flag: partial interrupted turnComplete escalate skipSummarization thought
    count: promptTokenCount candidatesTokenCount totalTokenCount thoughtsTokenCount cachedContentTokenCount
    time: timestamp startTimestamp endTimestamp
    bytes: data thoughtSignature
    reason: finishReason
    state: stateDelta
    versions: artifactDelta
    labels: eventMetadata
    texts: longRunningToolIds route
    objects: parts
    object: actions usageMetadata content compactedContent functionCall=name functionResponse=name
    object: inlineData=mimeType,data fileData=mimeType,fileUri compaction=startTimestamp,endTimestamp,compactedContent";

/// The kind of each field, and the fields that it cannot do without.
static FIELDS: LazyLock<HashMap<&str, (&str, Vec<&str>)>> = LazyLock::new(|| {
    let lines = KINDS.lines().filter_map(|line| line.trim().split_once(": "));
    let fields = lines.flat_map(|(kind, names)| names.split(' ').map(move |name| (kind, name)));
    let field = |(kind, name): (_, &'static str)| match name.split_once('=') {
        Some((name, needed)) => (name, (kind, needed.split(',').collect())),
        None => (name, (kind, Vec::new())),
    };
    fields.map(field).collect()
});

static REPORTED: LazyLock<Mutex<HashSet<String>>> = LazyLock::new(Mutex::default);

/// Reads an event of any ADK. Leaves out values that do not fit the Rust types, logs them once, and lists their paths in
/// the metadata of the event.
pub(crate) fn read(mut sent: Value, session_id: &str) -> Result<Event> {
    let mut dropped = Vec::new();
    sent.as_object_mut().into_iter().for_each(|fields| leave_out(fields, "", &mut dropped));
    let mut fields = wire::over(json!(Event::with_id("", "")), &wire::known(&sent));
    fields["actions"] = wire::over(json!(EventActions::default()), &fields["actions"]);
    if fields["usage_metadata"].is_object() {
        fields["usage_metadata"] = wire::over(json!(UsageMetadata::default()), &fields["usage_metadata"]);
    }
    let fits = |own: &Value| from_value::<Event>(wire::over(fields.clone(), own));
    let mut event = fits(&sent[OWN]).or_else(|_| {
        let own = wire::only(sent[OWN].clone(), |name, value| fits(&json!({ name: value })).is_ok());
        let lost = sent[OWN].as_object().into_iter().flatten().filter(|(name, _)| own.get(name).is_none());
        dropped.extend(lost.map(|(name, _)| format!("{OWN}.{name}")));
        fits(&own).map_err(invalid)
    })?;
    event.llm_response.content = event.llm_response.content.or_else(|| wire::read_content(&sent["content"]));
    if !dropped.is_empty() {
        report(session_id, &event.id, &dropped.join(", "));
        event.provider_metadata.insert(UNREADABLE.into(), json!(dropped).to_string());
    }
    Ok(event)
}

/// Leaves out of an object what ADK Rust cannot hold. Adds the paths to a list. Null is an absent value.
fn leave_out(fields: &mut Map<String, Value>, path: &str, dropped: &mut Vec<String>) {
    fields.retain(|name, value| {
        let Some((kind, needed)) = FIELDS.get(&**name).filter(|_| !value.is_null()) else { return !value.is_null() };
        let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
        let fits = fits(kind, value, &path, dropped) && needed.iter().all(|field| value.get(field).is_some());
        if !fits {
            dropped.push(path);
        }
        fits
    });
}

/// Returns whether a value has a kind, after what is wrong within the value has been left out.
fn fits(kind: &str, value: &mut Value, path: &str, dropped: &mut Vec<String>) -> bool {
    match (kind, &mut *value) {
        ("object", Value::Object(fields)) => leave_out(fields, path, dropped),
        ("objects", Value::Array(items)) => each(items, "object", path, dropped),
        ("texts", Value::Array(items)) => each(items, "text", path, dropped),
        ("texts", Value::String(_)) => *value = json!([value.take()]),
        ("labels", Value::Object(fields)) => every(fields, "text", path, dropped),
        ("versions", Value::Object(fields)) => every(fields, "version", path, dropped),
        _ => return is(kind, value),
    }
    true
}

fn is(kind: &str, value: &Value) -> bool {
    match kind {
        "text" => value.is_string(),
        "flag" => value.is_boolean(),
        "state" => value.is_object(),
        "version" => value.is_i64(),
        "count" => value.as_i64().is_some_and(|count| i32::try_from(count).is_ok()),
        "time" => wire::time(value).is_some(),
        "bytes" => value.as_str().is_some_and(|text| wire::bytes(text).is_some()),
        "reason" => value.as_str().is_some_and(|reason| wire::other_name(reason).is_some()),
        _ => false,
    }
}

fn each(items: &mut Vec<Value>, kind: &str, path: &str, dropped: &mut Vec<String>) {
    let mut places = 0..;
    items.retain_mut(|item| keeps(kind, item, format!("{path}.{}", places.next().unwrap_or_default()), dropped));
}

fn every(fields: &mut Map<String, Value>, kind: &str, path: &str, dropped: &mut Vec<String>) {
    fields.retain(|name, value| keeps(kind, value, format!("{path}.{name}"), dropped));
}

fn keeps(kind: &str, value: &mut Value, path: String, dropped: &mut Vec<String>) -> bool {
    let fits = fits(kind, value, &path, dropped);
    if !fits {
        dropped.push(path);
    }
    fits
}

/// Logs a report once, however often the event is read.
fn report(session_id: &str, event_id: &str, paths: &str) {
    let text = format!(
        "Session {session_id}: ADK cannot hold these parts of the event {event_id}, which are left out: {paths}"
    );
    let mut reported = REPORTED.lock().expect("nothing panics that holds it");
    if reported.len() == MOST_REPORTED {
        reported.clear();
    }
    if reported.insert(text.clone()) {
        tracing::warn!("{text}");
    }
}
