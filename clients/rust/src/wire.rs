// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

//! Converts between the events of ADK Rust and those of all other ADKs.
//!
//! Events of ADK Rust have snake_case names, times as text, and content parts without a name for their kind. Data that
//! only ADK Rust has, such as nanoseconds, costs or annotations, is in a separate field that only Rust reads.

use std::{collections::HashMap, sync::LazyLock};

use adk_core::{Content, Event, FileDataPart, FunctionResponseData, InlineDataPart, Part, Result};
use base64::{Engine, engine::general_purpose::STANDARD, engine::general_purpose::STANDARD_NO_PAD};
use chrono::{DateTime, Utc};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::reading::read;

/// The field for those Rust fields of an event that differ when they are read back.
pub(crate) const OWN: &str = "adkRust";

const SERVER_CALLS: [&str; 2] = ["toolCall", "executableCode"];
const SERVER_RESPONSES: [&str; 2] = ["toolResponse", "codeExecutionResult"];

/// Names of the fields and finish reasons that all ADKs have: in Rust and, if different, in the other ADKs. The client
/// sends no other field to them, since ADK Python rejects unknown fields. Contents are converted separately.
const NAMES: &str = "
    id author branch invocation_id=invocationId timestamp long_running_tool_ids=longRunningToolIds
    partial interrupted turn_complete=turnComplete error_code=errorCode error_message=errorMessage
    provider_metadata=providerMetadata interaction_id=interactionId llm_request=llmRequest event_metadata=eventMetadata
    actions escalate route state_delta=stateDelta artifact_delta=artifactDelta transfer_to_agent=transferToAgent
    skip_summarization=skipSummarization compaction compacted_content=compactedContent
    start_timestamp=startTimestamp end_timestamp=endTimestamp
    usage_metadata=usageMetadata prompt_token_count=promptTokenCount candidates_token_count=candidatesTokenCount
    total_token_count=totalTokenCount thinking_token_count=thoughtsTokenCount
    cache_read_input_token_count=cachedContentTokenCount
    finish_reason=finishReason Stop=STOP MaxTokens=MAX_TOKENS Safety=SAFETY Recitation=RECITATION Other=OTHER
    state app_name=appName user_id=userId last_update_time=lastUpdateTime";

static OTHER_NAMES: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
    let names = NAMES.split_whitespace().map(|name| name.split_once('=').unwrap_or((name, name)));
    names.flat_map(|(rust, others)| [(rust, others), (others, rust)]).collect()
});

/// Converts an event to the representation that all ADKs can read.
pub(crate) fn write(mut event: Event) -> Result<Value> {
    let content = event.llm_response.content.take();
    let own = json!(event);
    let mut sent = turned(&own, &seconds);
    let read_back = json!(read(sent.clone(), "")?);
    let mut own = only(own, |name, value| read_back[name] != *value);
    if let Some(content) = content {
        sent["content"] = written(&content);
        if read_content(&sent["content"]).is_none_or(|read| read.parts != content.parts) {
            own["content"] = json!(content);
        }
    }
    sent[OWN] = own;
    Ok(sent)
}

/// Returns the fields of other ADKs that Rust has, as Rust has them.
pub(crate) fn known(sent: &Value) -> Value {
    turned(sent, &|sent| json!(time(sent)))
}

/// Converts the names and values of fields between Rust and the other ADKs, in both directions.
fn turned(fields: &Value, other_time: &dyn Fn(&Value) -> Value) -> Value {
    let known = fields.as_object().into_iter().flatten().filter(|(_, value)| !value.is_null());
    let turned = known.filter_map(|(name, value)| {
        let other = match name.as_str() {
            "actions" | "compaction" | "usage_metadata" | "usageMetadata" => turned(value, other_time),
            "finish_reason" | "finishReason" => json!(other_name(value.as_str()?)?),
            "compacted_content" => written(&Content::deserialize(value).ok()?),
            "compactedContent" => json!(read_content(value)?),
            name if name.to_lowercase().ends_with("time") || name.ends_with("imestamp") => other_time(value),
            _ => value.clone(),
        };
        Some((other_name(name)?, other))
    });
    turned.collect()
}

pub(crate) fn other_name(name: &str) -> Option<&'static str> {
    OTHER_NAMES.get(name).copied()
}

/// Reads a time, which is in seconds, or a text in a summary of ADK Go.
pub(crate) fn time(sent: &Value) -> Option<DateTime<Utc>> {
    match sent.as_f64() {
        Some(seconds) => DateTime::from_timestamp_micros((seconds * 1e6).round() as i64),
        None => DateTime::deserialize(sent).ok(),
    }
}

fn seconds(text: &Value) -> Value {
    json!(time(text).map(|time| time.timestamp_micros() as f64 / 1e6))
}

pub(crate) fn written(content: &Content) -> Value {
    json!({ "role": content.role, "parts": content.parts.iter().filter_map(written_part).collect::<Vec<_>>() })
}

pub(crate) fn written_part(part: &Part) -> Option<Value> {
    let signature = |text: &Option<String>| text.as_ref().filter(|text| bytes(text).is_some()).cloned();
    Some(present(match part {
        Part::Text { text } => json!({ "text": text }),
        Part::Thinking { thinking, signature: of } => {
            json!({ "text": thinking, "thought": true, "thoughtSignature": signature(of) })
        }
        Part::InlineData { mime_type, data, .. } => inline_data(mime_type, data),
        Part::FileData { mime_type, file_uri, .. } => file_data(mime_type, file_uri),
        Part::FunctionCall { name, args, id, thought_signature: of } => {
            let call = present(json!({ "id": id, "name": name, "args": args.as_object() }));
            json!({ "functionCall": call, "thoughtSignature": signature(of) })
        }
        Part::FunctionResponse { function_response: of, id, .. } => {
            let response = if of.response.is_object() { &of.response } else { &json!({ "result": of.response }) };
            let images = of.inline_data.iter().map(|of| inline_data(&of.mime_type, &of.data));
            let parts = images.chain(of.file_data.iter().map(|of| file_data(&of.mime_type, &of.file_uri)));
            let parts = Some(parts.collect::<Vec<_>>()).filter(|parts| !parts.is_empty());
            let answer = json!({ "id": id, "name": of.name, "response": response, "parts": parts });
            json!({ "functionResponse": present(answer) })
        }
        Part::ServerToolCall { server_tool_call: of } => native(of, SERVER_CALLS)?.clone(),
        Part::ServerToolResponse { server_tool_response: of } => native(of, SERVER_RESPONSES)?.clone(),
        _ => return None,
    }))
}

/// Returns what a tool of Gemini's servers has called or returned. ADK Rust keeps the part as Gemini writes it, which
/// is how other ADKs write it, too.
fn native<'a>(part: &'a Value, kinds: [&str; 2]) -> Option<&'a Value> {
    kinds.iter().any(|kind| part[*kind].is_object()).then_some(part)
}

fn inline_data(mime_type: &str, data: &[u8]) -> Value {
    json!({ "inlineData": { "mimeType": mime_type, "data": STANDARD.encode(data) } })
}

fn file_data(mime_type: &str, file_uri: &str) -> Value {
    json!({ "fileData": { "mimeType": mime_type, "fileUri": file_uri } })
}

pub(crate) fn read_content(content: &Value) -> Option<Content> {
    let role = content["role"].as_str().unwrap_or("user").into();
    Some(Content { role, parts: read_parts(content.as_object()?.get("parts")) })
}

fn read_parts(parts: Option<&Value>) -> Vec<Part> {
    parts.and_then(Value::as_array).into_iter().flatten().filter_map(read_part).collect()
}

pub(crate) fn read_part(part: &Value) -> Option<Part> {
    let text = |path: &str| part.pointer(path)?.as_str().map(String::from);
    let object = |path: &str| part.pointer(path).cloned().unwrap_or_else(|| json!({}));
    let signature = text("/thoughtSignature");
    Some(if let Some(name) = text("/functionCall/name") {
        let (id, args) = (text("/functionCall/id"), object("/functionCall/args"));
        Part::FunctionCall { name, args, id, thought_signature: signature }
    } else if let Some(name) = text("/functionResponse/name") {
        let mut function_response = FunctionResponseData::new(name, object("/functionResponse/response"));
        for part in read_parts(part.pointer("/functionResponse/parts")) {
            match part {
                Part::InlineData { mime_type, data, uri, annotations } => {
                    function_response.inline_data.push(InlineDataPart { mime_type, data, uri, annotations });
                }
                Part::FileData { mime_type, file_uri, annotations } => {
                    function_response.file_data.push(FileDataPart { mime_type, file_uri, annotations });
                }
                _ => {}
            }
        }
        Part::FunctionResponse { function_response, id: text("/functionResponse/id"), annotations: None }
    } else if let Some(data) = text("/inlineData/data") {
        let (mime_type, data) = (text("/inlineData/mimeType")?, bytes(&data)?);
        Part::InlineData { mime_type, data, uri: None, annotations: None }
    } else if let Some(file_uri) = text("/fileData/fileUri") {
        Part::FileData { mime_type: text("/fileData/mimeType")?, file_uri, annotations: None }
    } else if let Some(call) = native(part, SERVER_CALLS) {
        Part::ServerToolCall { server_tool_call: call.clone() }
    } else if let Some(response) = native(part, SERVER_RESPONSES) {
        Part::ServerToolResponse { server_tool_response: response.clone() }
    } else if part["thought"] == true {
        Part::Thinking { thinking: text("/text")?, signature }
    } else {
        Part::Text { text: text("/text")? }
    })
}

/// Decodes standard and URL-safe Base64, with or without padding; Python writes the URL-safe form.
pub(crate) fn bytes(text: &str) -> Option<Vec<u8>> {
    STANDARD_NO_PAD.decode(text.trim_end_matches('=').replace('-', "+").replace('_', "/")).ok()
}

pub(crate) fn present(object: Value) -> Value {
    only(object, |_, value| !value.is_null())
}

pub(crate) fn only(mut object: Value, which: impl Fn(&str, &Value) -> bool) -> Value {
    object.as_object_mut().into_iter().for_each(|fields| fields.retain(|name, value| which(name, value)));
    object
}

pub(crate) fn over(mut fields: Value, others: &Value) -> Value {
    for (name, value) in others.as_object().into_iter().flatten() {
        fields[name] = value.clone();
    }
    fields
}
