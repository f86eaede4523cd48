//! Writes every field that events of ADK Rust have, and copies sessions, through the client of this project.
//!
//!     matrix write SESSION
//!     matrix copy FROM TO

use std::collections::HashMap;
use std::{env, error::Error};

use adk_core::{AdkIdentity, AppName, EmbeddedResource, EventActions, SessionId, UserId};
use adk_core::{
    BlobResourceContents, CitationMetadata, CitationSource, Content, EventCompaction, FileDataPart, FinishReason,
};
use adk_core::{FunctionResponseData, InlineDataPart, LlmResponse, Part, TextResourceContents, UsageMetadata};
use adk_core::{ToolConfirmationDecision, ToolConfirmationRequest};
use adk_session::{AppendEventRequest, CreateRequest, Event, SessionService};
use agent_sessions_adk::AgentSessionService;
use serde_json::{Value, json};

const BYTES: &[u8] = b"\xfb\xff\xbe>?!"; // +/++Pj8h, and -_--Pj8h in the other alphabet
const SIGNATURE: &str = "-_--Pj8h";

type Outcome = Result<(), Box<dyn Error>>;

#[tokio::main]
async fn main() -> Outcome {
    let arguments: Vec<_> = env::args().skip(1).collect();
    let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
    let service = AgentSessionService::new("")?;
    match arguments[..] {
        ["write", session] => append(&service, session, events()).await,
        ["copy", from, to] => {
            let read = service.get_for_identity(&identity(from)?).await?.events().all();
            append(&service, to, read).await
        }
        _ => Err("write SESSION, or copy FROM TO".into()),
    }
}

fn identity(session: &str) -> Result<AdkIdentity, Box<dyn Error>> {
    Ok(AdkIdentity::new(AppName::try_from("matrix")?, UserId::try_from("u")?, SessionId::try_from(session)?))
}

async fn append(service: &AgentSessionService, session: &str, events: Vec<Event>) -> Outcome {
    let (app_name, user_id, session_id) = ("matrix".into(), "u".into(), Some(session.into()));
    service.create(CreateRequest { app_name, user_id, session_id, state: HashMap::new() }).await?;
    for event in events {
        let identity = identity(session)?;
        service.append_event_for_identity(AppendEventRequest { identity, event }).await?;
    }
    Ok(())
}

/// One event for each part, and one for the other fields. All fields are named, so that the compiler finds new ones.
fn events() -> Vec<Event> {
    let content = |part| LlmResponse {
        content: Some(Content { role: "model".into(), parts: vec![part] }),
        ..LlmResponse::default()
    };
    let mut found: Vec<_> = parts().into_iter().map(|part| (content(part), EventActions::default())).collect();
    found.push((response(), actions()));
    let numbered = found.into_iter().enumerate();
    let events = numbered.map(|(number, (llm_response, actions))| Event {
        id: format!("e-{number}"),
        timestamp: format!("2026-01-01T00:00:{number:02}.123456789Z").parse().expect("it is a time"),
        invocation_id: "i-1".into(),
        branch: "branch".into(),
        author: "agent".into(),
        llm_response,
        actions,
        long_running_tool_ids: vec!["id".into()],
        llm_request: Some("{}".into()),
        provider_metadata: HashMap::from([("some_key".into(), "x".into())]),
    });
    events.collect()
}

fn parts() -> Vec<Part> {
    let (mime_type, uri, file_uri) = (String::from("image/png"), Some("uri".into()), String::from("gs://b/f"));
    let annotations = Some(json!({"some_key": 1}));
    let inline = InlineDataPart {
        mime_type: mime_type.clone(),
        data: BYTES.into(),
        uri: uri.clone(),
        annotations: annotations.clone(),
    };
    let file =
        FileDataPart { mime_type: mime_type.clone(), file_uri: file_uri.clone(), annotations: annotations.clone() };
    let plain_inline = InlineDataPart { uri: None, annotations: None, ..inline.clone() };
    let plain_file = FileDataPart { annotations: None, ..file.clone() };
    let answer = |inline_data, file_data, annotations| Part::FunctionResponse {
        function_response: FunctionResponseData {
            name: "name".into(),
            response: any(),
            inline_data: vec![inline_data],
            file_data: vec![file_data],
        },
        id: Some("id".into()),
        annotations,
    };
    let text = TextResourceContents::new("file:///f", Some("text/plain".into()), "text");
    let blob =
        BlobResourceContents { uri: "file:///b".into(), mime_type: Some("image/png".into()), data: BYTES.into() };
    vec![
        Part::Text { text: "text".into() },
        Part::Thinking { thinking: "thinking".into(), signature: Some(SIGNATURE.into()) },
        Part::InlineData { mime_type: mime_type.clone(), data: BYTES.into(), uri: None, annotations: None },
        Part::InlineData { mime_type: mime_type.clone(), data: BYTES.into(), uri, annotations: annotations.clone() },
        Part::FileData { mime_type: mime_type.clone(), file_uri: file_uri.clone(), annotations: None },
        Part::FileData { mime_type, file_uri, annotations: annotations.clone() },
        Part::FunctionCall {
            name: "name".into(),
            args: any(),
            id: Some("id".into()),
            thought_signature: Some(SIGNATURE.into()),
        },
        answer(plain_inline, plain_file, None),
        answer(inline, file, annotations),
        Part::ServerToolCall {
            server_tool_call: json!({"executableCode": {"code": "1"}, "thoughtSignature": SIGNATURE}),
        },
        Part::ServerToolResponse { server_tool_response: json!({"codeExecutionResult": {"output": "1"}}) },
        Part::EmbeddedResource { resource: EmbeddedResource::Text(text) },
        Part::EmbeddedResource { resource: EmbeddedResource::Blob(blob) },
    ]
}

fn response() -> LlmResponse {
    let source = CitationSource {
        uri: Some("uri".into()),
        title: Some("title".into()),
        start_index: Some(7),
        end_index: Some(7),
        license: Some("license".into()),
        publication_date: Some("2026-01-01".into()),
    };
    LlmResponse {
        content: None,
        usage_metadata: Some(UsageMetadata {
            prompt_token_count: 7,
            candidates_token_count: 7,
            total_token_count: 7,
            cache_read_input_token_count: Some(7),
            cache_creation_input_token_count: Some(7),
            thinking_token_count: Some(7),
            audio_input_token_count: Some(7),
            audio_output_token_count: Some(7),
            cost: Some(1.25),
            is_byok: Some(true),
            provider_usage: Some(any()),
        }),
        finish_reason: Some(FinishReason::Stop),
        citation_metadata: Some(CitationMetadata { citation_sources: vec![source] }),
        partial: false, // no service stores what is partial
        turn_complete: true,
        interrupted: true,
        error_code: Some("error_code".into()),
        error_message: Some("error_message".into()),
        provider_metadata: Some(any()),
        interaction_id: Some("interaction_id".into()),
    }
}

fn actions() -> EventActions {
    EventActions {
        state_delta: HashMap::from([("some_key".into(), any())]),
        artifact_delta: HashMap::from([("some_key".into(), 7)]),
        skip_summarization: true,
        transfer_to_agent: Some("transfer_to_agent".into()),
        escalate: true,
        tool_confirmation: Some(ToolConfirmationRequest {
            tool_name: "name".into(),
            function_call_id: Some("id".into()),
            args: any(),
        }),
        tool_confirmation_decision: Some(ToolConfirmationDecision::Approve),
        compaction: Some(EventCompaction {
            start_timestamp: "2026-01-01T00:00:00.123456Z".parse().expect("it is a time"),
            end_timestamp: "2026-01-01T00:00:01.123456Z".parse().expect("it is a time"),
            compacted_content: Content::new("user").with_text("short"),
        }),
        route: Some(vec!["route".into()]),
    }
}

fn any() -> Value {
    json!({"some_key": [1, null, "x"]})
}
