// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

//! Two turns of an agent with a tool produce the same session as ADK's in-memory service.

mod common;

use std::{error::Error, sync::Arc};

use adk_agent::LlmAgentBuilder;
use adk_core::{Content, Llm, LlmRequest, LlmResponse, LlmResponseStream, Part, Tool, ToolContext, async_trait};
use adk_runner::Runner;
use adk_session::{InMemorySessionService, Session, SessionService};
use agent_sessions_adk::{AgentSessionService, STALE};
use common::{Outcome, append, create, event, get, service};
use futures::{StreamExt, stream};
use serde_json::{Value, json};

#[tokio::test]
async fn runs_an_agent_as_in_memory() -> Outcome {
    let Some((sessions, app)) = service() else { return Ok(()) };
    let here = talk(Arc::new(InMemorySessionService::new()), &app).await?;
    let there = talk(Arc::new(sessions), &app).await?;
    assert_eq!(comparable(&*there), comparable(&*here));
    assert_eq!(there.events().len(), 10);
    assert_eq!(there.state().get("user:total"), Some(json!(2)));
    Ok(())
}

#[tokio::test]
async fn a_run_notices_that_somebody_else_has_appended() -> Outcome {
    let Some((sessions, app)) = service() else { return Ok(()) };
    let session = create(&sessions, &app, json!({})).await?;
    let somebody = AgentSessionService::new("")?;
    let runner = runner(Arc::new(sessions), &app)?;
    let mut run = runner.run_str("alice", session.id(), Content::new("user").with_text("How many?")).await?;
    run.next().await.unwrap()?;
    append(&somebody, &*session, event(1, json!({}))).await?;
    let mut failed = None;
    while let Some(next) = run.next().await {
        failed = next.err();
    }
    assert_eq!(failed.unwrap().code, STALE);
    Ok(())
}

async fn talk(sessions: Arc<dyn SessionService>, app: &str) -> Result<Box<dyn Session>, Box<dyn Error>> {
    let session = create(&*sessions, app, json!({"before": 1})).await?;
    let runner = runner(sessions.clone(), app)?;
    for _ in 0..2 {
        let question = Content::new("user").with_text("How many?");
        let mut run = runner.run_str("alice", session.id(), question).await?;
        while let Some(event) = run.next().await {
            event?;
        }
    }
    Ok(get(&*sessions, &*session).await?)
}

fn runner(sessions: Arc<dyn SessionService>, app: &str) -> Result<Runner, Box<dyn Error>> {
    let agent = LlmAgentBuilder::new("counter").model(Arc::new(Scripted)).instruction("Count.");
    let agent = agent.tool(Arc::new(Count)).output_key("answer").build()?;
    Ok(Runner::builder().app_name(app).agent(Arc::new(agent)).session_service(sessions).build()?)
}

/// Removes the values that differ in each run.
fn comparable(session: &dyn Session) -> Value {
    let mut events = json!(session.events().all());
    for event in events.as_array_mut().unwrap() {
        for name in ["id", "invocation_id", "timestamp", "llm_request"] {
            event[name].take();
        }
    }
    json!([events, session.state().all()])
}

/// A model that calls the tool, and then returns the result of the tool.
struct Scripted;

#[async_trait]
impl Llm for Scripted {
    fn name(&self) -> &str {
        "scripted"
    }

    async fn generate_content(&self, request: LlmRequest, _: bool) -> adk_core::Result<LlmResponseStream> {
        let part = match request.contents.last().and_then(|content| content.parts.last()) {
            Some(Part::FunctionResponse { function_response, .. }) => {
                Part::Text { text: format!("{} so far", function_response.response["count"]) }
            }
            _ => Part::FunctionCall {
                name: "count".into(),
                args: json!({}),
                id: Some("call-1".into()),
                thought_signature: None,
            },
        };
        let answer = LlmResponse::new(Content { role: "model".into(), parts: vec![part] });
        Ok(Box::pin(stream::iter([Ok(answer)])))
    }
}

/// Counts the calls.
struct Count;

#[async_trait]
impl Tool for Count {
    fn name(&self) -> &str {
        "count"
    }

    fn description(&self) -> &str {
        "Counts."
    }

    async fn execute(&self, context: Arc<dyn ToolContext>, _: Value) -> adk_core::Result<Value> {
        let before = context.session().and_then(|session| session.state().get("count"));
        let count = json!(before.and_then(|count| count.as_i64()).unwrap_or_default() + 1);
        let mut actions = context.actions();
        for key in ["count", "user:total", "temp:scratch"] {
            actions.state_delta.insert(key.into(), count.clone());
        }
        actions.state_delta.insert("nothing".into(), Value::Null);
        context.set_actions(actions);
        Ok(json!({ "count": count }))
    }
}
