//! The shortest program whose sessions live in Agent Sessions.

use std::collections::HashMap;

use adk_core::{Content, Result};
use adk_session::{CreateRequest, Event, SessionService};
use agent_sessions_adk::AgentSessionService;

#[tokio::main]
async fn main() -> Result<()> {
    let sessions = AgentSessionService::new("")?; // $AGENT_SESSIONS_URL, or http://localhost:8080
    let created = sessions
        .create(CreateRequest {
            app_name: "my-app".into(),
            user_id: "alice".into(),
            session_id: None,
            state: HashMap::from([("user:name".into(), "Alice".into())]),
        })
        .await?;
    let mut hello = Event::new("i-1");
    hello.author = "user".into();
    hello.llm_response.content = Some(Content::new("user").with_text("Hello"));
    hello.actions.state_delta.insert("topic".into(), "greeting".into());
    sessions.append_event(created.id(), hello).await?;
    let stored = sessions.get_for_identity(&created.try_identity()?).await?;
    println!("{:?} {} event", stored.state().get("topic"), stored.events().len());
    Ok(())
}
