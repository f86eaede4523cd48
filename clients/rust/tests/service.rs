// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

//! What ADK requires of a session service, and what this one promises, against a running service.

mod common;

use std::sync::Arc;
use std::time::Duration;

use adk_core::{AdkError, Content, ErrorCategory, EventCompaction, FinishReason, FunctionResponseData, Part};
use adk_core::{EmbeddedResource, FileDataPart, InlineDataPart, TextResourceContents};
use adk_core::{ToolConfirmationDecision, UsageMetadata};
use adk_session::{DeleteRequest, Event, GetRequest, ListRequest, Session, SessionService};
use agent_sessions_adk::{ALREADY_EXISTS, AgentSessionService, NOT_FOUND, REMOVED, STALE, UNAVAILABLE, always};
use common::{Outcome, append, call, create, create_with, event, get, identity, service, time};
use serde_json::{Value, json};
use uuid::Uuid;

const PIXEL: [u8; 9] = [1, 2, 3, 4, 255, 254, 253, 62, 63];

#[tokio::test]
async fn creates_reads_lists_and_deletes() -> Outcome {
    let Some((sessions, app)) = service() else { return Ok(()) };
    let user = "u \"1\" é&+/%";
    let state = json!({"k": 1, "app:a": 2, "user:u": 3, "temp:t": 4});
    let created = create_with(&sessions, &app, user, Some("own-1"), state).await?;
    assert_eq!((created.id(), created.app_name(), created.user_id()), ("own-1", &*app, user));
    let found = get(&sessions, &*created).await?;
    assert_eq!(json!(found.state().all()), json!({"k": 1, "app:a": 2, "user:u": 3}));
    assert_eq!(found.last_update_time(), created.last_update_time());
    let twice = create_with(&sessions, &app, user, Some("own-1"), json!({})).await.err().unwrap();
    assert_eq!(twice.code, ALREADY_EXISTS);
    assert_eq!(listed(&sessions, &app, user, None, None).await?, ["own-1"]);

    delete(&sessions, &app, "mallory", "own-1").await?;
    let hidden = get_of(&sessions, &app, "mallory", "own-1").await.err().unwrap();
    assert_eq!((hidden.code, hidden.is_not_found()), (NOT_FOUND, true));
    delete(&sessions, &app, user, "own-1").await?;
    delete(&sessions, &app, user, "own-1").await?;
    assert_eq!(get(&sessions, &*created).await.err().unwrap().code, NOT_FOUND);
    assert_eq!(append(&sessions, &*created, event(1, json!({}))).await.unwrap_err().code, NOT_FOUND);
    for id in ["", ".", "..", "a\nb"] {
        let refused = delete(&sessions, &app, "alice", id).await.unwrap_err();
        assert_eq!(refused.category, ErrorCategory::InvalidInput, "{id:?} is no id");
    }
    Ok(())
}

#[tokio::test]
async fn reads_back_the_whole_event() -> Outcome {
    let Some((sessions, app)) = service() else { return Ok(()) };
    let created = create(&sessions, &app, json!({})).await?;
    for sent in [common_event(), event_of_rust()] {
        append(&sessions, &*created, sent.clone()).await?;
        let stored = get(&sessions, &*created).await?.events().all().pop().unwrap();
        assert_eq!(json!(stored), json!(sent));
    }
    Ok(())
}

#[tokio::test]
async fn writes_what_all_adks_read() -> Outcome {
    let Some((sessions, app)) = service() else { return Ok(()) };
    let created = create(&sessions, &app, json!({})).await?;
    append(&sessions, &*created, common_event()).await?;
    append(&sessions, &*created, event_of_rust()).await?;
    let events = &raw(&app, created.id()).await?["events"];
    assert_eq!(
        events[0],
        json!({
            "id": "e-1", "invocationId": "i-1", "author": "model", "branch": "a.b", "timestamp": 1767225601.123456,
            "content": {"role": "model", "parts": [
                {"text": "look <b>"},
                {"text": "hm", "thought": true, "thoughtSignature": "_-8="},
                {"inlineData": {"mimeType": "image/png", "data": "AQIDBP/+/T4/"}},
                {"fileData": {"mimeType": "text/plain", "fileUri": "gs://b/f.txt"}},
                {"functionCall": {"id": "c1", "name": "f_g", "args": {"some_key": null}}, "thoughtSignature": "_-8="},
                {"functionResponse": {"id": "c1", "name": "f_g", "response": {"big_key": 1.5}, "parts": [
                    {"inlineData": {"mimeType": "image/png", "data": "AQIDBP/+/T4/"}},
                    {"fileData": {"mimeType": "text/plain", "fileUri": "gs://b/f.txt"}},
                ]}},
                {"toolCall": {"id": "t1"}, "thoughtSignature": "_-8="},
                {"toolResponse": {"id": "t1"}},
            ]},
            "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 2, "totalTokenCount": 3, "thoughtsTokenCount": 4},
            "finishReason": "MAX_TOKENS", "partial": false, "turnComplete": true, "interrupted": false,
            "errorCode": "E", "errorMessage": "m", "longRunningToolIds": ["c1"],
            "actions": {
                "stateDelta": {"a": {"n_n": [1, 2.5, null]}, "gone": null}, "artifactDelta": {"a.txt": 3},
                "skipSummarization": false, "escalate": true, "transferToAgent": "other",
                "compaction": {"startTimestamp": 1767225600.123456, "endTimestamp": 1767225601.123456,
                    "compactedContent": {"role": "user", "parts": [{"text": "short"}]}},
            },
            "adkRust": {},
        })
    );
    assert_eq!(
        events[1]["content"]["parts"],
        json!([
            {"inlineData": {"mimeType": "image/png", "data": "AQIDBP/+/T4/"}},
            {"functionCall": {"name": "f"}},
            {"functionResponse": {"name": "f", "response": {"result": "text"}}},
            {"text": "hm", "thought": true},
        ])
    );
    // ADK Python rejects unknown fields there.
    let counts =
        json!({"promptTokenCount": 0, "candidatesTokenCount": 0, "totalTokenCount": 0, "thoughtsTokenCount": 4});
    assert_eq!(events[1]["usageMetadata"], counts);
    let names: Vec<_> = events[1]["actions"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["artifactDelta", "escalate", "route", "skipSummarization", "stateDelta"]);
    assert!(events[1].get("citationMetadata").is_none());
    Ok(())
}

#[tokio::test]
async fn reads_events_of_other_languages() -> Outcome {
    let Some((sessions, app)) = service() else { return Ok(()) };
    let created = create(&sessions, &app, json!({})).await?;
    let sent = json!({
        "id": "e-1", "author": "a", "timestamp": 1767225600.25, "customMetadata": [{"key": "of Java"}],
        "finishReason": "BLOCKLIST", "usageMetadata": {"totalTokenCount": 7}, "groundingMetadata": {"x": 1},
        "providerMetadata": {"a_b": 1},
        "content": {"parts": [
            {"text": "t", "thoughtSignature": "_-8=", "unknown": 1},
            {"inlineData": {"mimeType": "image/png", "data": "_-8="}},
            {"functionCall": {"name": "f"}},
            {"executableCode": {"code": "1"}},
            {"codeExecutionResult": {"output": "1"}},
            {"functionResponse": {"name": "f", "parts": [{"inlineData": {"mimeType": "image/png", "data": "_-8"}}]}},
        ]},
        "actions": {"stateDelta": {"k_k": 1}, "deletedArtifactIds": ["x"], "rewindBeforeInvocationId": "i", "route": "r",
            "compaction": {"startTimestamp": "2026-01-01T00:00:00.123456789Z", "endTimestamp": 1767225600.25,
                "compactedContent": {"parts": [{"inlineData": {"mimeType": "image/png", "data": "_-8="}}]}}},
    });
    call("POST", &format!("/apps/{app}/users/alice/sessions/{}/events", created.id()), Some(sent)).await?;
    let stored = get(&sessions, &*created).await?;
    assert_eq!(stored.state().get("k_k"), Some(json!(1)));
    let read = stored.events().at(0).unwrap();
    assert_eq!((&*read.id, &*read.author, read.timestamp.timestamp_millis()), ("e-1", "a", 1767225600250));
    assert_eq!(json!(read.actions.state_delta), json!({"k_k": 1}));
    assert_eq!(read.llm_response.provider_metadata, Some(json!({"a_b": 1})));
    assert_eq!(
        json!(read.llm_response.content),
        json!({"role": "user", "parts": [
            {"text": "t"}, {"mime_type": "image/png", "data": [255, 239]}, {"name": "f", "args": {}},
            {"server_tool_call": {"executableCode": {"code": "1"}}},
            {"server_tool_response": {"codeExecutionResult": {"output": "1"}}},
            {"functionResponse": {"name": "f", "response": {},
                "inline_data": [{"mime_type": "image/png", "data": [255, 239]}]}},
        ]})
    );
    assert_eq!(read.llm_response.usage_metadata.as_ref().unwrap().total_token_count, 7);
    assert_eq!(json!(read.actions.route), json!(["r"]));
    assert_eq!(
        json!(read.actions.compaction),
        json!({"start_timestamp": "2026-01-01T00:00:00.123456789Z", "end_timestamp": "2026-01-01T00:00:00.250Z",
            "compacted_content": {"role": "user", "parts": [{"mime_type": "image/png", "data": [255, 239]}]}})
    );
    assert_eq!(json!(read.provider_metadata), json!({"agent_sessions_unreadable": "[\"finishReason\"]"}));
    Ok(())
}

#[tokio::test]
async fn reads_many_events_in_order() -> Outcome {
    let Some((sessions, app)) = service() else { return Ok(()) };
    let created = create(&sessions, &app, json!({})).await?;
    for number in 0..250 {
        append(&sessions, &*created, event(number, json!({}))).await?;
    }
    let window = async |num_recent_events, after| -> Result<Vec<String>, AdkError> {
        let (app_name, user_id, session_id) = (app.clone(), "alice".into(), created.id().into());
        let found = sessions.get(GetRequest { app_name, user_id, session_id, num_recent_events, after }).await?;
        Ok(found.events().all().into_iter().map(|event| event.invocation_id).collect())
    };
    let all: Vec<_> = (0..250).map(|number| format!("i-{number}")).collect();
    assert_eq!(window(None, None).await?, all);
    assert_eq!(window(Some(3), None).await?, all[247..]);
    assert!(window(Some(0), None).await?.is_empty());
    assert_eq!(window(None, Some(time(248))).await?, all[248..]);
    Ok(())
}

#[tokio::test]
async fn keeps_state_in_its_scopes() -> Outcome {
    let Some((sessions, app)) = service() else { return Ok(()) };
    let first = create(&sessions, &app, json!({"k": 1, "removed": 1})).await?;
    let second = create(&sessions, &app, json!({})).await?;
    let delta = json!({"app:a": 1, "user:u": 2, "k": null, "removed": REMOVED, "temp:t": 4});
    append(&sessions, &*first, event(1, delta)).await?;
    let stored = get(&sessions, &*first).await?;
    assert_eq!(json!(stored.state().all()), json!({"app:a": 1, "user:u": 2, "k": null}));
    assert!(!stored.events().at(0).unwrap().actions.state_delta.contains_key("temp:t"));
    assert!(stored.last_update_time() > first.last_update_time());
    assert_eq!(json!(get(&sessions, &*second).await?.state().all()), json!({"app:a": 1, "user:u": 2}));
    let mut partial = event(2, json!({"p": 1}));
    partial.llm_response.partial = true;
    append(&sessions, &*first, partial).await?;
    assert_eq!(get(&sessions, &*first).await?.events().len(), 1);
    Ok(())
}

#[tokio::test]
async fn lists_the_last_updated_first() -> Outcome {
    let Some((sessions, app)) = service() else { return Ok(()) };
    for id in ["s-1", "s-2", "s-3"] {
        create_with(&sessions, &app, "alice", Some(id), json!({"k": id})).await?;
    }
    assert_eq!(listed(&sessions, &app, "alice", None, None).await?, ["s-3", "s-2", "s-1"]);
    assert_eq!(listed(&sessions, &app, "alice", Some(1), Some(1)).await?, ["s-2"]);
    assert!(listed(&sessions, &app, "alice", Some(0), None).await?.is_empty());
    assert!(listed(&sessions, &app, "bob", None, None).await?.is_empty());
    Ok(())
}

#[tokio::test]
async fn follows_the_pages_of_a_list() -> Outcome {
    let page = |id: &str, header: &str| {
        let body = json!([{"id": id, "appName": "a", "userId": "u", "state": {}, "events": [], "lastUpdateTime": 1.5}]);
        format!(
            "HTTP/1.1 200 OK\r\n{header}Connection: close\r\nContent-Length: {}\r\n\r\n{body}",
            body.to_string().len()
        )
    };
    let (url, asked) = common::answering([page("s-1", "X-Next-Page-Token: t+/\r\n"), page("s-2", "")]).await?;
    let sessions = AgentSessionService::new(&url)?;
    assert_eq!(listed(&sessions, "a", "u", None, None).await?, ["s-1", "s-2"]);
    assert!(asked.await?[1].contains("pageToken=t%2B%2F"));
    Ok(())
}

#[tokio::test]
async fn appends_by_the_id_alone_if_it_is_clear() -> Outcome {
    let Some((sessions, app)) = service() else { return Ok(()) };
    let created = create_with(&sessions, &app, "alice", Some("same"), json!({})).await?;
    sessions.append_event("same", event(1, json!({}))).await?;
    assert_eq!(get(&sessions, &*created).await?.events().len(), 1);
    create_with(&sessions, &app, "bob", Some("same"), json!({})).await?;
    for id in ["same", "unknown"] {
        let unclear = sessions.append_event(id, event(2, json!({}))).await.unwrap_err();
        assert_eq!(unclear.category, ErrorCategory::InvalidInput);
    }
    Ok(())
}

#[tokio::test]
async fn tells_the_stale_writer_and_the_repair_works() -> Outcome {
    let (Some((one, app)), Some((two, _))) = (service(), service()) else { return Ok(()) };
    let session = create(&one, &app, json!({})).await?;
    get(&two, &*session).await?;
    append(&one, &*session, event(1, json!({"k": 1}))).await?;
    let late = event(2, json!({"late": true}));
    for _ in 0..2 {
        let stale = append(&two, &*session, late.clone()).await.unwrap_err();
        assert_eq!((stale.code, stale.is_retryable()), (STALE, false));
    }
    assert_eq!(get(&two, &*session).await?.events().len(), 1);
    append(&two, &*session, late).await?;
    assert_eq!(append(&one, &*session, event(3, json!({}))).await.unwrap_err().code, STALE);
    let mut behind = service().unwrap().0;
    behind.check_stale = false;
    append(&behind, &*session, event(4, json!({}))).await?;
    append(&two, &*session, event(5, json!({}))).await.unwrap_err();
    append(&behind, &*session, event(6, json!({}))).await?;
    assert_eq!(get(&one, &*session).await?.events().len(), 4);
    Ok(())
}

/// A session of a program's own type.
struct Kept {
    id: String,
    app_name: String,
    last_update_time: chrono::DateTime<chrono::Utc>,
}

#[rustfmt::skip]
impl Session for Kept {
    fn id(&self) -> &str { &self.id }
    fn app_name(&self) -> &str { &self.app_name }
    fn user_id(&self) -> &str { "alice" }
    fn state(&self) -> &dyn adk_session::State { unimplemented!() }
    fn events(&self) -> &dyn adk_session::Events { unimplemented!() }
    fn last_update_time(&self) -> chrono::DateTime<chrono::Utc> { self.last_update_time }
}

#[tokio::test]
async fn takes_a_copy_of_a_stale_object_for_stale() -> Outcome {
    let (Some((one, app)), Some((two, _))) = (service(), service()) else { return Ok(()) };
    let first = create(&one, &app, json!({})).await?;
    let copy = Kept { id: first.id().into(), app_name: app.clone(), last_update_time: first.last_update_time() };
    one.append_event_to(&copy, event(1, json!({}))).await?;
    append(&one, &*first, event(2, json!({}))).await?; // the last append of this service object
    let stale: [&dyn Session; 2] = [&*first, &copy];
    for sessions in [&one, &two] {
        for stale in stale {
            assert_eq!(sessions.append_event_to(stale, event(3, json!({}))).await.unwrap_err().code, STALE);
        }
    }
    let current = get(&one, &*first).await?;
    assert_eq!(current.events().len(), 2);
    let mut behind = service().unwrap().0;
    behind.check_stale = false;
    behind.append_event_to(&copy, event(4, json!({}))).await?;
    assert_eq!(two.append_event_to(&*current, event(5, json!({}))).await.unwrap_err().code, STALE);
    Ok(())
}

#[tokio::test]
async fn queues_appends_to_one_session() -> Outcome {
    let Some((sessions, app)) = service() else { return Ok(()) };
    let sessions = Arc::new(sessions);
    let session: Arc<dyn Session> = create(&*sessions, &app, json!({})).await?.into();
    let tasks: Vec<_> = (0..40)
        .map(|number| {
            let (sessions, session) = (sessions.clone(), session.clone());
            tokio::spawn(async move { append(&*sessions, &*session, event(number, json!({}))).await })
        })
        .collect();
    for task in tasks {
        task.await??;
    }
    assert_eq!(get(&*sessions, &*session).await?.events().len(), 40);
    Ok(())
}

#[tokio::test]
async fn gives_an_id() -> Outcome {
    let Some((sessions, app)) = service() else { return Ok(()) };
    let session = create(&sessions, &app, json!({})).await?;
    let mut bare = event(1, json!({}));
    bare.id.clear();
    append(&sessions, &*session, bare).await?;
    assert!(!get(&sessions, &*session).await?.events().at(0).unwrap().id.is_empty());
    Ok(())
}

#[tokio::test]
async fn asks_for_a_token_per_user() -> Outcome {
    let (Some((mut sessions, app)), Ok(key)) = (service(), std::env::var("AGENT_SESSIONS_API_KEY")) else {
        return Ok(());
    };
    sessions.token = Arc::new(move |user| {
        let token = match &*user {
            "alice" => Ok(key.clone()),
            "nobody" => Err(AdkError::session("who?")),
            _ => Ok("wrong".into()),
        };
        Box::pin(async { token })
    });
    create_with(&sessions, &app, "alice", None, json!({})).await?;
    let refused = create_with(&sessions, &app, "bob", None, json!({})).await.err().unwrap();
    assert!(refused.is_unauthorized() && refused.to_string().contains("UNAUTHENTICATED"), "{refused}");
    let unknown = create_with(&sessions, &app, "nobody", None, json!({})).await.err().unwrap();
    assert!(unknown.to_string().contains("who?"));
    sessions.token = always("wrong");
    assert!(get_of(&sessions, &app, "alice", "s").await.err().unwrap().is_unauthorized());
    Ok(())
}

#[tokio::test]
async fn sends_again_and_never_doubles() -> Outcome {
    let (Some((direct, app)), Ok(proxy)) = (service(), std::env::var("CONFORMANCE_FAULTS")) else { return Ok(()) };
    let sessions = AgentSessionService::new(&proxy)?;
    let session = create(&sessions, &app, json!({})).await?;
    let spoil = async |faults: &str| call("POST", &format!("{proxy}/faults/{faults}"), None).await;
    let faults = ["429", "503", "unsent", "half", "unanswered", "half-answered", "unanswered,half,503"];
    for (number, fault) in faults.into_iter().enumerate() {
        spoil(fault).await?;
        append(&sessions, &*session, event(number as i64, json!({"n": number}))).await?;
        assert_eq!(get(&direct, &*session).await?.events().len(), number + 1, "{fault}");
        spoil(fault).await?;
        let id = Uuid::new_v4().to_string();
        let again = create_with(&sessions, &app, "alice", Some(&id), json!({"k": fault})).await?;
        assert_eq!(again.state().get("k"), Some(json!(fault)));
    }
    // A lost response does not hide an event that another writer has appended since.
    append(&direct, &*session, event(7, json!({}))).await?;
    spoil("unanswered").await?;
    assert_eq!(append(&sessions, &*session, event(8, json!({}))).await.unwrap_err().code, STALE);
    get(&sessions, &*session).await?;
    spoil(&["unsent"; 50].join(",")).await?;
    let lost = append(&sessions, &*session, event(9, json!({}))).await.unwrap_err();
    assert_eq!((lost.code, lost.category, lost.is_retryable()), (UNAVAILABLE, ErrorCategory::Unavailable, true));
    assert!(lost.message.starts_with(&format!("no answer from {proxy}: ")), "{lost}");
    spoil("pass").await?;
    assert_eq!(get(&direct, &*session).await?.events().len(), 8);
    Ok(())
}

#[tokio::test]
async fn says_what_is_wrong() -> Outcome {
    assert_eq!(AgentSessionService::new("no address").err().unwrap().category, ErrorCategory::InvalidInput);
    let Some((sessions, app)) = service() else { return Ok(()) };
    let session = create(&sessions, &app, json!({})).await?;
    let mut invalid = event(1, json!({}));
    append(&sessions, &*session, invalid.clone()).await?;
    invalid.author = "somebody else".into();
    let refused = append(&sessions, &*session, invalid).await.unwrap_err();
    assert!(refused.to_string().contains("EVENT_ID_CONFLICT"), "{refused}");
    assert_eq!(refused.details.upstream_status_code, Some(409));
    Ok(())
}

/// Values that every ADK can represent.
fn common_event() -> Event {
    let mut event = event(1, json!({"a": {"n_n": [1, 2.5, null]}, "gone": null}));
    event.id = "e-1".into();
    event.author = "model".into();
    event.timestamp = time(1);
    let parts = vec![
        Part::Text { text: "look <b>".into() },
        Part::Thinking { thinking: "hm".into(), signature: Some("_-8=".into()) },
        Part::InlineData { mime_type: "image/png".into(), data: PIXEL.into(), uri: None, annotations: None },
        Part::FileData { mime_type: "text/plain".into(), file_uri: "gs://b/f.txt".into(), annotations: None },
        Part::FunctionCall {
            name: "f_g".into(),
            args: json!({"some_key": null}),
            id: Some("c1".into()),
            thought_signature: Some("_-8=".into()),
        },
        Part::FunctionResponse {
            function_response: FunctionResponseData::with_multimodal(
                "f_g",
                json!({"big_key": 1.5}),
                vec![InlineDataPart {
                    mime_type: "image/png".into(),
                    data: PIXEL.into(),
                    uri: None,
                    annotations: None,
                }],
                vec![FileDataPart {
                    mime_type: "text/plain".into(),
                    file_uri: "gs://b/f.txt".into(),
                    annotations: None,
                }],
            ),
            id: Some("c1".into()),
            annotations: None,
        },
        Part::ServerToolCall { server_tool_call: json!({"toolCall": {"id": "t1"}, "thoughtSignature": "_-8="}) },
        Part::ServerToolResponse { server_tool_response: json!({"toolResponse": {"id": "t1"}}) },
    ];
    event.llm_response.content = Some(Content { role: "model".into(), parts });
    let usage = UsageMetadata {
        prompt_token_count: 1,
        candidates_token_count: 2,
        total_token_count: 3,
        thinking_token_count: Some(4),
        ..Default::default()
    };
    event.llm_response.usage_metadata = Some(usage);
    event.llm_response.finish_reason = Some(FinishReason::MaxTokens);
    event.llm_response.turn_complete = true;
    event.llm_response.error_code = Some("E".into());
    event.llm_response.error_message = Some("m".into());
    event.branch = "a.b".into();
    event.long_running_tool_ids = vec!["c1".into()];
    event.actions.artifact_delta.insert("a.txt".into(), 3);
    event.actions.transfer_to_agent = Some("other".into());
    event.actions.escalate = true;
    event.actions.compaction = Some(EventCompaction {
        start_timestamp: time(0),
        end_timestamp: time(1),
        compacted_content: Content::new("user").with_text("short"),
    });
    event
}

/// Values that no other ADK can represent.
fn event_of_rust() -> Event {
    let mut event = event(2, json!({}));
    event.timestamp += Duration::from_nanos(789);
    let annotations = Some(json!({"a": 1}));
    let parts = vec![
        Part::InlineData { mime_type: "image/png".into(), data: PIXEL.into(), uri: Some("u".into()), annotations },
        Part::FunctionCall {
            name: "f".into(),
            args: Value::Null,
            id: None,
            thought_signature: Some("no base64".into()),
        },
        Part::FunctionResponse {
            function_response: FunctionResponseData::new("f", json!("text")),
            id: None,
            annotations: None,
        },
        Part::Thinking { thinking: "hm".into(), signature: Some("?".into()) },
        Part::ServerToolCall { server_tool_call: json!({"x": 1}) },
        Part::EmbeddedResource {
            resource: EmbeddedResource::Text(TextResourceContents::new("file:///f", None, "resource")),
        },
    ];
    event.llm_response.content = Some(Content { role: "model".into(), parts });
    let usage = UsageMetadata { cost: Some(0.5), thinking_token_count: Some(4), ..Default::default() };
    event.llm_response.usage_metadata = Some(usage);
    event.llm_response.provider_metadata = Some(json!({"response_id": {"n": null}}));
    event.llm_response.interaction_id = Some("i".into());
    event.llm_request = Some("{}".into());
    event.provider_metadata.insert("adk.own".into(), "x".into());
    event.actions.route = Some(vec!["node".into()]);
    event.actions.tool_confirmation_decision = Some(ToolConfirmationDecision::Approve);
    let dated = json!({"citationSources": [{"uri": "https://a.example", "publicationDate": "2026-01-01"}]});
    event.llm_response.citation_metadata = serde_json::from_value(dated).unwrap();
    event
}

async fn raw(app: &str, id: &str) -> Result<Value, Box<dyn std::error::Error>> {
    call("GET", &format!("/apps/{app}/users/alice/sessions/{id}"), None).await
}

async fn get_of(sessions: &AgentSessionService, app: &str, user: &str, id: &str) -> Result<Box<dyn Session>, AdkError> {
    sessions.get_for_identity(&identity(app, user, id)?).await
}

async fn delete(sessions: &AgentSessionService, app: &str, user: &str, id: &str) -> Result<(), AdkError> {
    sessions.delete(DeleteRequest { app_name: app.into(), user_id: user.into(), session_id: id.into() }).await
}

async fn listed(
    sessions: &AgentSessionService,
    app: &str,
    user: &str,
    limit: Option<usize>,
    offset: Option<usize>,
) -> Result<Vec<String>, AdkError> {
    let all = sessions.list(ListRequest { app_name: app.into(), user_id: user.into(), limit, offset }).await?;
    Ok(all.iter().map(|session| session.id().to_string()).collect())
}
