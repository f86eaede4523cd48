// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

//! The memory service: directly, and with ADK's memory tools, against a running service.

mod common;

use std::sync::{Arc, Mutex};

use adk_agent::LlmAgentBuilder;
use adk_core::{AdkError, Content, Llm, LlmRequest, LlmResponse, LlmResponseStream, Memory, Part, async_trait};
use adk_memory::{MemoryEntry, MemoryService, MemoryServiceAdapter, SearchRequest};
use adk_runner::Runner;
use adk_session::Event;
use adk_tool::memory::{LoadMemoryTool, PreloadMemoryTool};
use agent_sessions_adk::{AgentSessionMemoryService, AgentSessionService, UNAVAILABLE};
use common::{Outcome, answering, append, call, create_with, service, time};
use futures::{StreamExt, stream};
use serde_json::{Value, json};

const ODD: [&str; 6] = ["!!!", "\"", "+ - | ( ) * ~", "a\0b", "\\", "a:b & c | !d"];

#[tokio::test]
async fn finds_what_was_said_with_the_turns_around_it() -> Outcome {
    let Some((sessions, app)) = service() else { return Ok(()) };
    let mut memory = AgentSessionMemoryService::new("")?;
    let session = create_with(&sessions, &app, "alice", Some("s1"), json!({})).await?;
    let texts = [("user", "Where do we stay?"), ("agent", "In Kyoto, near the river"), ("user", "Fine")];
    for (number, (author, text)) in texts.into_iter().enumerate() {
        append(&sessions, &*session, said(author, text, number as i64)).await?;
    }
    append(&sessions, &*create_with(&sessions, &app, "alice", Some("s2"), json!({})).await?, said("user", "Hello", 3))
        .await?;
    memory.add_session(&app, "alice", "s1", vec![entry("Never stored")]).await?;

    let found = memory.search(asked(&app, "kyoto stored")).await?.memories;
    assert_eq!(texts_of(&found), ["user: Where do we stay?\nagent: In Kyoto, near the river\nuser: Fine"]);
    assert_eq!((&*found[0].author, found[0].timestamp), ("agent", time(1)));
    let surely = SearchRequest { min_score: Some(1.0), ..asked(&app, "kyoto tomorrow evening") };
    assert!(memory.search(surely).await?.memories.is_empty());
    let other = SearchRequest { user_id: "bob".into(), ..asked(&app, "kyoto") };
    assert!(memory.search(other).await?.memories.is_empty());
    memory.around = 0;
    assert_eq!(texts_of(&memory.search(asked(&app, "kyoto")).await?.memories), ["In Kyoto, near the river"]);
    memory.except_session = Some("s1".into());
    assert!(memory.search(asked(&app, "kyoto")).await?.memories.is_empty());
    Ok(())
}

#[tokio::test]
async fn returns_five_memories_unless_told_otherwise() -> Outcome {
    let Some((_, app)) = service() else { return Ok(()) };
    let mut memory = AgentSessionMemoryService::new("")?;
    for number in 0..7 {
        memory.add_entry(&app, "alice", entry(&format!("Likes tea number {number}"))).await?;
    }
    assert_eq!(memory.search(asked(&app, "tea")).await?.memories.len(), 5);
    memory.limit = 2;
    assert_eq!(memory.search(asked(&app, "tea")).await?.memories.len(), 2);
    for (limit, found) in [(0, 0), (3, 3), (100, 7), (usize::MAX, 7)] {
        let request = SearchRequest { limit: Some(limit), ..asked(&app, "tea") };
        assert_eq!(memory.search(request).await?.memories.len(), found);
    }
    Ok(())
}

#[tokio::test]
async fn takes_every_query() -> Outcome {
    let Some((_, app)) = service() else { return Ok(()) };
    let memory = AgentSessionMemoryService::new("")?;
    memory.add_entry(&app, "alice", entry("Likes tea")).await?;
    let long = ["x".repeat(3000), "🍵".repeat(1500), format!(" {}", "🍵".repeat(1500)), "é".repeat(2000)];
    for query in ODD.into_iter().chain(long.iter().map(String::as_str)) {
        for min_score in [None, Some(f32::NAN), Some(-1.0), Some(7.0)] {
            let request = SearchRequest { min_score, ..asked(&app, query) };
            assert!(memory.search(request).await?.memories.is_empty(), "{query:?}");
        }
    }
    let long = format!("tea {}", "🍵".repeat(1500));
    assert_eq!(texts_of(&memory.search(asked(&app, &long)).await?.memories), ["Likes tea"]);
    let project = SearchRequest { project_id: Some("p".into()), ..asked(&app, "tea") };
    assert!(memory.search(project).await.is_err());
    assert!(memory.add_entry_to_project(&app, "alice", "p", entry("Likes tea")).await.is_err());
    assert!(!memory.supports_project_scoping());
    Ok(())
}

#[tokio::test]
async fn a_blank_query_is_no_request() -> Outcome {
    if service().is_none() {
        return Ok(());
    }
    let mut memory = AgentSessionMemoryService::new("http://localhost:1")?;
    memory.unavailable_timeout = std::time::Duration::ZERO;
    for query in ["", " \n\u{a0}"] {
        assert!(memory.search(asked("app", query)).await?.memories.is_empty());
        assert_eq!(memory.delete_entries("app", "alice", query).await?, 0);
    }
    assert_eq!(memory.search(asked("app", "tea")).await.unwrap_err().code, UNAVAILABLE);
    assert_eq!(memory.health_check().await.unwrap_err().code, UNAVAILABLE);
    AgentSessionMemoryService::new("")?.health_check().await?;
    Ok(())
}

#[tokio::test]
async fn lists_and_deletes_facts() -> Outcome {
    let Some((sessions, app)) = service() else { return Ok(()) };
    let memory = AgentSessionMemoryService::new("")?;
    let session = create_with(&sessions, &app, "alice", Some("s1"), json!({})).await?;
    append(&sessions, &*session, said("user", "Green tea, please", 1)).await?;
    for (number, text) in ["Likes green tea", "Likes black tea", "Is \"on\" -holiday"].into_iter().enumerate() {
        memory.add_entry(&app, "alice", MemoryEntry { timestamp: time(number as i64), ..entry(text) }).await?;
    }
    let recent = memory.list_recent(&app, "alice", 2).await?;
    assert_eq!(texts_of(&recent), ["Is \"on\" -holiday", "Likes black tea"]);
    assert_eq!((&*recent[1].author, recent[1].timestamp, &*recent[1].content.role), ("alice", time(1), "user"));

    for query in ODD {
        assert_eq!(memory.delete_entries(&app, "alice", query).await?, 0, "{query:?}");
    }
    assert_eq!(memory.delete_entries(&app, "alice", "-holiday \"on").await?, 1);
    assert_eq!(memory.delete_entries(&app, "alice", "green tea").await?, 2); // a fact and an event
    assert_eq!(texts_of(&memory.search(asked(&app, "some tea")).await?.memories), ["Likes black tea"]);
    assert_eq!(common::get(&sessions, &*session).await?.events().len(), 1);

    append(&sessions, &*session, said("user", "Or white tea?", 2)).await?;
    memory.delete_user(&app, "alice").await?;
    assert!(memory.list_recent(&app, "alice", usize::MAX).await?.is_empty());
    assert_eq!(memory.search(asked(&app, "some tea")).await?.memories.len(), 1);
    Ok(())
}

#[tokio::test]
async fn lists_more_facts_than_a_page_has() -> Outcome {
    let Some((_, app)) = service() else { return Ok(()) };
    let memory = AgentSessionMemoryService::new("")?;
    for number in 0..103 {
        memory.add_entry(&app, "alice", entry(&format!("Likes tea {number}"))).await?;
    }
    assert_eq!(memory.list_recent(&app, "alice", 102).await?.len(), 102);
    assert_eq!(memory.delete_entries(&app, "alice", "tea").await?, 103);
    assert!(memory.list_recent(&app, "alice", 1).await?.is_empty());
    Ok(())
}

#[tokio::test]
async fn forgets_a_session() -> Outcome {
    let Some((sessions, app)) = service() else { return Ok(()) };
    let memory = AgentSessionMemoryService::new("")?;
    let session = create_with(&sessions, &app, "alice", Some("s1"), json!({})).await?;
    append(&sessions, &*session, said("user", "Green tea, please", 1)).await?;
    let path = format!("/apps/{app}/users/alice/sessions/s1");
    call("PATCH", &path, Some(json!({ "labels": { "channel": "chat" } }))).await?;
    memory.add_session(&app, "alice", "elsewhere", vec![entry("Black tea, please")]).await?;
    memory.add_entry(&app, "alice", entry("Likes tea")).await?;
    for id in ["s1", "elsewhere", "elsewhere"] {
        memory.delete_session(&app, "alice", id).await?;
    }
    assert_eq!(texts_of(&memory.search(asked(&app, "some tea")).await?.memories), ["Likes tea"]);
    let stored: Value = call("GET", &format!("{path}?numRecentEvents=1"), None).await?;
    assert_eq!(stored["labels"], json!({ "channel": "chat", "memory": "off" }));
    assert_eq!(stored["events"].as_array().unwrap().len(), 1);
    Ok(())
}

#[tokio::test]
async fn stores_entries_of_other_session_services_once() -> Outcome {
    let Some((_, app)) = service() else { return Ok(()) };
    let memory = AgentSessionMemoryService::new("")?;
    let thought = Part::Thinking { thinking: "secret".into(), signature: None };
    let mut silent = entry(" ");
    silent.content.parts.push(thought.clone());
    let mut first = entry("Likes tea");
    first.content.parts.insert(0, thought);
    let entries = vec![first, silent, MemoryEntry { author: "".into(), ..entry("Likes tea, too") }];
    for _ in 0..2 {
        memory.add_session(&app, "alice", "elsewhere", entries.clone()).await?;
    }
    assert_eq!(memory.list_recent(&app, "alice", 10).await?.len(), 2); // a search folds equal texts
    let mut found = memory.search(asked(&app, "tea secret")).await?.memories;
    found.sort_by_key(|found| std::cmp::Reverse(found.author.clone()));
    assert_eq!(texts_of(&found), ["Likes tea", "Likes tea, too"]);
    assert_eq!(found[0].timestamp, time(0));
    Ok(())
}

#[tokio::test]
async fn ignores_an_entry_that_is_there_in_another_form() -> Outcome {
    let Some((_, app)) = service() else { return Ok(()) };
    let memory = AgentSessionMemoryService::new("")?;
    let mut other = entry("Likes tea");
    other.content.role = "model".into(); // ADK Rust's entries have no id: what was said, when and by whom is their name
    for entries in [vec![entry("Likes tea")], vec![other, entry("Likes cake")]] {
        memory.add_session(&app, "alice", "elsewhere", entries).await?;
    }
    let mut texts = texts_of(&memory.list_recent(&app, "alice", 10).await?);
    texts.sort();
    assert_eq!(texts, ["Likes cake", "Likes tea"]);
    Ok(())
}

#[tokio::test]
async fn sends_a_fact_again_under_its_id() -> Outcome {
    if service().is_none() {
        return Ok(());
    }
    let answer = |status: &str| format!("HTTP/1.1 {status}\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{{}}");
    let (url, asked) = answering([answer("503 Service Unavailable"), answer("201 Created")]).await?;
    AgentSessionMemoryService::new(&url)?.add_entry("app", "alice", entry("Likes tea")).await?;
    let asked = asked.await?;
    let body = |request: &String| request.split_once("\r\n\r\n").unwrap().1.to_string();
    assert_eq!(body(&asked[0]), body(&asked[1]));
    assert!(serde_json::from_str::<Value>(&body(&asked[0]))?["id"].is_string());
    Ok(())
}

#[tokio::test]
async fn an_agent_with_load_memory_knows_what_was_said_in_an_earlier_session() -> Outcome {
    let Some((sessions, app)) = service() else { return Ok(()) };
    let tool = LoadMemoryTool::builder().memory_service(Arc::new(AgentSessionMemoryService::new("")?)).build()?;
    let seen = talk(sessions, &app, |agent| agent.tool(Arc::new(tool))).await?;
    assert!(seen.contains(r"user: We stay in Kyoto, near the river\nguide: I see."), "{seen}");
    assert_eq!(seen.matches("Where do we stay, in Kyoto?").count(), 2, "{seen}"); // the message, and what was asked for
    Ok(())
}

#[tokio::test]
async fn an_agent_with_preload_memory_knows_what_was_said_in_an_earlier_session() -> Outcome {
    let Some((sessions, app)) = service() else { return Ok(()) };
    let tool = PreloadMemoryTool::builder().memory_service(Arc::new(AgentSessionMemoryService::new("")?)).build()?;
    let seen = talk(sessions, &app, |agent| agent.before_model_callback(tool.into_before_model_callback())).await?;
    assert!(seen.contains(r"user: We stay in Kyoto, near the river\nguide: I see."), "{seen}");
    assert_eq!(seen.matches("Where do we stay, in Kyoto?").count(), 1, "{seen}");
    Ok(())
}

#[tokio::test]
async fn serves_as_the_memory_of_a_runner() -> Outcome {
    let Some((_, app)) = service() else { return Ok(()) };
    let memory = MemoryServiceAdapter::new(Arc::new(AgentSessionMemoryService::new("")?), app, "alice");
    let likes = adk_core::MemoryEntry { content: Content::new("user").with_text("Likes tea"), author: "alice".into() };
    memory.add(likes).await?;
    assert_eq!(memory.search("What tea?").await?[0].author, "alice");
    assert_eq!(memory.delete("tea").await?, 1);
    assert!(memory.search_in_project("tea", "p").await.is_err());
    memory.health_check().await?;
    Ok(())
}

/// Has a user talk in two sessions. Returns what reaches the model last.
async fn talk(
    sessions: AgentSessionService,
    app: &str,
    with: impl FnOnce(LlmAgentBuilder) -> LlmAgentBuilder,
) -> Result<String, Box<dyn std::error::Error>> {
    let model = Arc::new(AskingModel::default());
    let agent = with(LlmAgentBuilder::new("guide").model(model.clone()).instruction("Help.")).build()?;
    let sessions = Arc::new(sessions);
    let runner = Runner::builder().app_name(app).agent(Arc::new(agent)).session_service(sessions.clone()).build()?;
    for (id, text) in [("s1", "We stay in Kyoto, near the river"), ("s2", "Where do we stay, in Kyoto?")] {
        create_with(&*sessions, app, "alice", Some(id), json!({})).await?;
        let mut run = runner.run_str("alice", id, Content::new("user").with_text(text)).await?;
        while let Some(event) = run.next().await {
            event?;
        }
    }
    Ok(model.seen.lock().unwrap().pop().unwrap())
}

/// A model that looks into memory if it can, and records what reaches it.
#[derive(Default)]
struct AskingModel {
    seen: Mutex<Vec<String>>,
}

#[async_trait]
impl Llm for AskingModel {
    fn name(&self) -> &str {
        "asking"
    }

    async fn generate_content(&self, request: LlmRequest, _: bool) -> Result<LlmResponseStream, AdkError> {
        self.seen.lock().unwrap().push(json!(request.contents).to_string());
        let last = request.contents.last().and_then(|content| content.parts.last());
        let part = if !request.tools.contains_key("load_memory") || matches!(last, Some(Part::FunctionResponse { .. }))
        {
            Part::Text { text: "I see.".into() }
        } else {
            let args = json!({ "query": "Where do we stay, in Kyoto?" });
            Part::FunctionCall { name: "load_memory".into(), args, id: Some("c".into()), thought_signature: None }
        };
        let answer = LlmResponse::new(Content { role: "model".into(), parts: vec![part] });
        Ok(Box::pin(stream::iter([Ok(answer)])))
    }
}

fn said(author: &str, text: &str, number: i64) -> Event {
    let mut event = common::event(number, json!({}));
    event.author = author.into();
    event.llm_response.content = Some(Content::new("user").with_text(text));
    event
}

fn entry(text: &str) -> MemoryEntry {
    MemoryEntry { content: Content::new("user").with_text(text), author: "alice".into(), timestamp: time(0) }
}

fn asked(app: &str, query: &str) -> SearchRequest {
    SearchRequest {
        query: query.into(),
        user_id: "alice".into(),
        app_name: app.into(),
        limit: None,
        min_score: None,
        project_id: None,
    }
}

fn texts_of(entries: &[MemoryEntry]) -> Vec<String> {
    entries.iter().map(|entry| entry.content.parts.iter().filter_map(Part::text).collect()).collect()
}
