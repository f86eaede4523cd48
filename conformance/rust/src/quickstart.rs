//! The shortest program whose sessions live in Agent Sessions.

use adk_core::{Content, Result};
use adk_session::{
    CreateRequest, Event, GetRequest, SessionService, VertexAiSessionConfig, VertexAiSessionService,
};
use google_cloud_auth::credentials::api_key_credentials::Builder;
use serde_json::json;
use std::collections::HashMap;

pub fn agent_sessions(url: &str, engine: &str) -> Result<VertexAiSessionService> {
    let config = VertexAiSessionConfig::new("my-project", "local")
        .with_reasoning_engine(engine)
        .with_endpoint(url);
    VertexAiSessionService::with_credentials(config, Builder::new("any-key").build())
}

pub async fn quickstart() -> Result<()> {
    let url = std::env::var("AGENT_SESSIONS_URL").unwrap_or("http://localhost:8080".into());
    let sessions = agent_sessions(&url, "1234567890")?;
    let session = sessions
        .create(CreateRequest {
            app_name: "my-app".into(),
            user_id: "alice".into(),
            session_id: None,
            state: HashMap::from([("user:name".into(), json!("Alice"))]),
        })
        .await?;
    let mut hello = Event::new("i-1");
    hello.author = "user".into();
    hello.llm_response.content = Some(Content::new("user").with_text("Hello"));
    hello.actions.state_delta.insert("topic".into(), json!("greeting"));
    sessions.append_event(session.id(), hello).await?;
    let stored = sessions
        .get(GetRequest {
            app_name: "my-app".into(),
            user_id: "alice".into(),
            session_id: session.id().into(),
            num_recent_events: None,
            after: None,
        })
        .await?;
    println!("{:?} {} event", stored.state().all(), stored.events().len());
    Ok(())
}
