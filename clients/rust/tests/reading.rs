// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

//! An event that ADK Rust cannot hold costs the smallest part that is wrong, and never the session.

mod common;

use adk_core::AdkIdentity;
use adk_session::{Event, SessionService};
use agent_sessions_adk::{AgentSessionService, ForkOptions};
use common::{Log, Outcome, call, create, event, get, identity, service};
use futures::TryStreamExt;
use serde_json::{Value, json};
use tracing::subscriber::set_default;

const UNREADABLE: &str = "agent_sessions_unreadable";

/// An event with every field that Rust reads.
fn full() -> Value {
    let data = json!({"mimeType": "image/png", "data": "_-8="});
    let file = json!({"mimeType": "image/png", "fileUri": "gs://b/f"});
    json!({
        "id": "e", "author": "a", "invocationId": "i", "timestamp": 1.5, "branch": "b", "errorCode": "E",
        "errorMessage": "m", "interactionId": "n", "llmRequest": "{}", "longRunningToolIds": ["c"], "partial": false,
        "interrupted": false, "turnComplete": true, "finishReason": "STOP", "eventMetadata": {"k": "v"},
        "content": {"role": "model", "parts": [
            {"text": "Hello"},
            {"text": "hm", "thought": true, "thoughtSignature": "_-8="},
            {"inlineData": data},
            {"fileData": file},
            {"functionCall": {"id": "c", "name": "f", "args": {"k": 1}}},
            {"functionResponse": {"id": "c", "name": "f", "response": {"k": 1},
                "parts": [{"inlineData": data}, {"fileData": file}]}},
        ]},
        "actions": {
            "stateDelta": {"k": 1}, "artifactDelta": {"f": 1}, "route": ["r"], "transferToAgent": "b", "escalate": true,
            "skipSummarization": true, "compaction": {"startTimestamp": 1.5, "endTimestamp": "1970-01-01T00:00:02Z",
                "compactedContent": {"role": "user", "parts": [{"text": "short"}]}},
        },
        "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2, "thoughtsTokenCount": 1,
            "cachedContentTokenCount": 1},
        "adkRust": {"event_metadata": {"k": "own"}},
    })
}

/// Reads a session as an older version of the service returns it.
async fn read(events: &[Value]) -> Result<Vec<Event>, Box<dyn std::error::Error>> {
    let body = json!({"id": "s", "appName": "a", "userId": "u", "state": {}, "events": events, "lastUpdateTime": 1.5});
    let answer = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{body}", body.to_string().len());
    let sessions = AgentSessionService::new(&common::answering([answer]).await?.0)?;
    Ok(sessions.get_for_identity(&identity("a", "u", "s")?).await?.events().all())
}

fn unreadable(event: &Event) -> Value {
    event.provider_metadata.get(UNREADABLE).map_or(Value::Null, |paths| paths.parse().unwrap())
}

#[tokio::test]
async fn reads_an_event_without_faults_whole() -> Outcome {
    let read = &read(&[full()]).await?[0];
    assert_eq!(unreadable(read), Value::Null);
    assert_eq!(read.content().unwrap().parts.len(), 6);
    assert_eq!(read.provider_metadata["k"], "own");
    Ok(())
}

#[tokio::test]
async fn leaves_out_only_what_is_wrong_and_logs_it_once() -> Outcome {
    let log = Log::new(|| ());
    let _guard = set_default(log.clone());
    let cases = [
        ("/content/parts/0/text", json!(7), json!(["content.parts.0.text"]), 5),
        ("/content/parts/0", json!("text"), json!(["content.parts.0"]), 5),
        ("/content/parts/4/functionCall/id", json!(7), json!(["content.parts.4.functionCall.id"]), 6),
        (
            "/content/parts/4/functionCall/name",
            json!(7),
            json!(["content.parts.4.functionCall.name", "content.parts.4.functionCall"]),
            5,
        ),
        (
            "/content/parts/5/functionResponse/parts/0/inlineData/data",
            json!("data:image/png;base64,AQI="),
            json!([
                "content.parts.5.functionResponse.parts.0.inlineData.data",
                "content.parts.5.functionResponse.parts.0.inlineData"
            ]),
            6,
        ),
        ("/content/parts/1/thoughtSignature", json!("no Base64!"), json!(["content.parts.1.thoughtSignature"]), 6),
        ("/usageMetadata/promptTokenCount", json!(1.5), json!(["usageMetadata.promptTokenCount"]), 6),
        ("/actions/route", json!(1.5), json!(["actions.route"]), 6),
        ("/adkRust/event_metadata", json!([]), json!(["adkRust.event_metadata"]), 6),
    ];
    for (number, (place, value, paths, parts)) in cases.into_iter().enumerate() {
        let mut wrong = full();
        wrong["id"] = json!(format!("w-{number}"));
        *wrong.pointer_mut(place).unwrap() = value;
        for event in read(&[wrong.clone(), wrong]).await? {
            assert_eq!(unreadable(&event), paths);
            assert_eq!(event.content().unwrap().parts.len(), parts, "{place}");
            assert_eq!(event.actions.state_delta["k"], 1);
            assert_eq!(event.llm_response.usage_metadata.unwrap().total_token_count, 2);
        }
        let paths: Vec<_> = paths.as_array().unwrap().iter().map(|path| path.as_str().unwrap()).collect();
        let what = "ADK cannot hold these parts of the event";
        let line = format!("Session s: {what} w-{number}, which are left out: {}", paths.join(", "));
        assert_eq!((log.lines().len(), log.lines().last()), (number + 1, Some(&line)));
    }
    Ok(())
}

#[tokio::test]
async fn reads_an_event_with_any_wrong_value() -> Outcome {
    let mut places = Vec::new();
    paths(&full(), "", &mut places);
    let mut wrong = Vec::new();
    for place in places.iter().filter(|place| !["/id", "/author", "/timestamp"].contains(&place.as_str())) {
        for value in [json!("no Base64 or number!"), json!(7), json!(1.5), json!(true), json!(["x"]), json!({})] {
            let mut event = full();
            *event.pointer_mut(place).unwrap() = value;
            wrong.push(event);
        }
    }
    let read = read(&wrong).await?;
    assert_eq!(read.len(), wrong.len());
    assert!(read.iter().filter(|event| unreadable(event) != Value::Null).count() > 200);
    for (event, wrong) in read.iter().zip(wrong) {
        assert_eq!(event.content().is_some(), wrong["content"].is_object(), "{wrong}");
        assert!(event.actions.escalate || wrong["actions"]["escalate"] != true, "{wrong}");
    }
    Ok(())
}

fn paths(value: &Value, place: &str, found: &mut Vec<String>) {
    let fields = value.as_object().into_iter().flatten().map(|(name, inner)| (name.clone(), inner));
    let items = value.as_array().into_iter().flatten().enumerate().map(|(index, inner)| (index.to_string(), inner));
    for (step, inner) in fields.chain(items) {
        let place = format!("{place}/{step}");
        found.push(place.clone());
        paths(inner, &place, found);
    }
}

#[tokio::test]
async fn keeps_the_session_its_watch_and_its_fork() -> Outcome {
    let Some((sessions, app)) = service() else { return Ok(()) };
    let created = create(&sessions, &app, json!({})).await?;
    let identity: AdkIdentity = created.try_identity()?;
    // Other ADKs may leave out a type of data, and have more reasons to finish.
    let of_others = json!({"id": "e-1", "author": "a", "invocationId": "i-1", "finishReason": "LANGUAGE",
        "content": {"parts": [{"text": "t"}, {"inlineData": {"data": "_-8="}}]}});
    let url = format!("/apps/{app}/users/alice/sessions/{}/events", created.id());
    call("POST", &url, Some(of_others)).await?;
    let read = get(&sessions, &*created).await?.events().all();
    let forked = sessions.fork(&identity, ForkOptions::default()).await?.events().all();
    let watched = sessions.watch(&identity, Some(0))?.try_next().await?.unwrap().event;
    for event in [&read[0], &forked[0], &watched] {
        assert_eq!(unreadable(event), json!(["content.parts.1.inlineData", "finishReason"]));
        assert_eq!(event.content().unwrap().parts[0].text(), Some("t"));
    }
    common::append(&sessions, &*created, event(2, json!({}))).await?;
    sessions.rewind_before(&identity, "i-1").await?;
    assert_eq!(get(&sessions, &*created).await?.events().len(), 3);
    Ok(())
}
