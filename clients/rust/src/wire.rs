// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

//! Between the events of ADK Rust and those of all other ADKs.
//!
//! Rust's have names in snake_case, times that are texts, and parts of a content without a name for their kind. What
//! only Rust has, as nanoseconds, costs or annotations, goes along in a field of its own, for Rust to read.

use adk_core::{Content, Event, EventActions, FunctionResponseData, Part};
use base64::{Engine, engine::general_purpose::STANDARD};
use chrono::{DateTime, Utc};
use serde::Deserialize;
use serde_json::{Result, Value, from_value, json};

/// Those fields of an event, as Rust has them, that are not the same when they are read back.
const OWN: &str = "adkRust";

/// What only Rust has where ADK Python forbids what it does not know, and a content, which is read and written apart.
const NOT_SHARED: &str = "content citation_metadata citationMetadata tool_confirmation tool_confirmation_decision cost \
    is_byok provider_usage audio_input_token_count audio_output_token_count cache_creation_input_token_count";

/// An event as all ADKs can read it.
pub(crate) fn write(mut event: Event) -> Result<Value> {
    let content = event.llm_response.content.take();
    let mut own = json!(event);
    let mut sent = turned(&own);
    let read_back = json!(read(&sent)?);
    own.as_object_mut().into_iter().for_each(|own| own.retain(|name, value| read_back[name] != *value));
    if let Some(content) = content {
        sent["content"] = written(&content);
        if content.parts.iter().any(|part| written_part(part).as_ref().and_then(read_part).as_ref() != Some(part)) {
            own["content"] = json!(content);
        }
    }
    sent[OWN] = own;
    Ok(sent)
}

/// An event of any ADK. What Rust has no place for is left out: one field must not make a session unreadable.
pub(crate) fn read(sent: &Value) -> Result<Event> {
    let mut known = turned(sent);
    known["actions"] = over(json!(EventActions::default()), &known["actions"]);
    let known = over(known, &sent[OWN]);
    let defaults = json!(Event::with_id("", ""));
    let mut event = from_value::<Event>(over(defaults.clone(), &known)).or_else(|_| {
        let fields = known.as_object().into_iter().flatten();
        let fits = |field: &Value| Event::deserialize(over(defaults.clone(), field)).is_ok();
        let fields = fields.map(|(name, value)| json!({ name: value })).filter(fits);
        from_value(fields.fold(defaults.clone(), |event, field| over(event, &field)))
    })?;
    event.llm_response.content = event.llm_response.content.or_else(|| read_content(&sent["content"]));
    Ok(event)
}

/// Fields of Rust as the others have them, and the other way round.
pub(crate) fn turned(fields: &Value) -> Value {
    let fields = fields.as_object().into_iter().flatten();
    let known = fields.filter(|(name, value)| !value.is_null() && !NOT_SHARED.split(' ').any(|one| one == *name));
    let turned = known.map(|(name, value)| {
        let value = match name.as_str() {
            "actions" | "compaction" | "usage_metadata" | "usageMetadata" => turned(value),
            "compacted_content" => json!(Content::deserialize(value).ok().as_ref().map(written)),
            "compactedContent" => json!(read_content(value)),
            "finish_reason" => json!(other_name(text(value)).trim_start_matches('_').to_uppercase()),
            "finishReason" => json!(other_name(&format!("_{}", text(value).to_lowercase()))),
            name if name.to_lowercase().ends_with("time") || name.ends_with("imestamp") => other_time(value),
            _ => value.clone(),
        };
        (other_name(name), value)
    });
    turned.collect()
}

/// snake_case for camelCase, and the other way round; two names differ in more than that.
fn other_name(name: &str) -> String {
    match name {
        "thinking_token_count" => return "thoughtsTokenCount".into(),
        "thoughtsTokenCount" => return "thinking_token_count".into(),
        "cache_read_input_token_count" => return "cachedContentTokenCount".into(),
        "cachedContentTokenCount" => return "cache_read_input_token_count".into(),
        _ => {}
    }
    let (mut turned, mut letters) = (String::new(), name.chars());
    while let Some(letter) = letters.next() {
        match letter {
            '_' => turned.extend(letters.next().map(|letter| letter.to_ascii_uppercase())),
            'A'..='Z' => turned.extend(['_', letter.to_ascii_lowercase()]),
            _ => turned.push(letter),
        }
    }
    turned
}

/// Seconds for a text, and the other way round.
pub(crate) fn other_time(time: &Value) -> Value {
    match time.as_f64() {
        Some(seconds) => json!(DateTime::from_timestamp_micros((seconds * 1e6).round() as i64)),
        None => json!(DateTime::<Utc>::deserialize(time).ok().map(|time| time.timestamp_micros() as f64 / 1e6)),
    }
}

fn written(content: &Content) -> Value {
    json!({ "role": content.role, "parts": content.parts.iter().filter_map(written_part).collect::<Vec<_>>() })
}

fn written_part(part: &Part) -> Option<Value> {
    let signature = |text: &Option<String>| text.as_ref().filter(|text| bytes(text).is_some()).cloned();
    Some(present(match part {
        Part::Text { text } => json!({ "text": text }),
        Part::Thinking { thinking, signature: of } => {
            json!({ "text": thinking, "thought": true, "thoughtSignature": signature(of) })
        }
        Part::InlineData { mime_type, data, .. } => {
            json!({ "inlineData": { "mimeType": mime_type, "data": STANDARD.encode(data) } })
        }
        Part::FileData { mime_type, file_uri, .. } => {
            json!({ "fileData": { "mimeType": mime_type, "fileUri": file_uri } })
        }
        Part::FunctionCall { name, args, id, thought_signature: of } => {
            let call = present(json!({ "id": id, "name": name, "args": args.as_object() }));
            json!({ "functionCall": call, "thoughtSignature": signature(of) })
        }
        Part::FunctionResponse { function_response: FunctionResponseData { name, response, .. }, id, .. } => {
            let response = if response.is_object() { response.clone() } else { json!({ "result": response }) };
            json!({ "functionResponse": present(json!({ "id": id, "name": name, "response": response })) })
        }
        _ => return None,
    }))
}

fn read_content(content: &Value) -> Option<Content> {
    let role = content["role"].as_str().unwrap_or("user").into();
    Some(Content { role, parts: content["parts"].as_array()?.iter().filter_map(read_part).collect() })
}

fn read_part(part: &Value) -> Option<Part> {
    let text = |path: &str| part.pointer(path)?.as_str().map(String::from);
    let object = |path: &str| part.pointer(path).cloned().unwrap_or_else(|| json!({}));
    let signature = text("/thoughtSignature");
    Some(if let Some(name) = text("/functionCall/name") {
        let (id, args) = (text("/functionCall/id"), object("/functionCall/args"));
        Part::FunctionCall { name, args, id, thought_signature: signature }
    } else if let Some(name) = text("/functionResponse/name") {
        let function_response = FunctionResponseData::new(name, object("/functionResponse/response"));
        Part::FunctionResponse { function_response, id: text("/functionResponse/id"), annotations: None }
    } else if let Some(data) = text("/inlineData/data") {
        let (mime_type, data) = (text("/inlineData/mimeType")?, bytes(&data)?);
        Part::InlineData { mime_type, data, uri: None, annotations: None }
    } else if let Some(file_uri) = text("/fileData/fileUri") {
        Part::FileData { mime_type: text("/fileData/mimeType")?, file_uri, annotations: None }
    } else if part["thought"] == true {
        Part::Thinking { thinking: text("/text")?, signature }
    } else {
        Part::Text { text: text("/text")? }
    })
}

/// What a base64 text stands for; Python's has two other letters.
fn bytes(text: &str) -> Option<Vec<u8>> {
    STANDARD.decode(text.replace('-', "+").replace('_', "/")).ok()
}

pub(crate) fn present(mut object: Value) -> Value {
    object.as_object_mut().into_iter().for_each(|fields| fields.retain(|_, value| !value.is_null()));
    object
}

fn over(mut fields: Value, others: &Value) -> Value {
    for (name, value) in others.as_object().into_iter().flatten() {
        fields[name] = value.clone();
    }
    fields
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
