//! One turn at a time, somebody who watches, a look at the past, another try, and back.

use std::collections::HashMap;

use adk_core::Result;
use adk_session::{AppendEventRequest, CreateRequest, Event, SessionService};
use agent_sessions_adk::{AgentSessionService, BUSY, ForkOptions, LeaseOptions};
use futures::TryStreamExt;

#[tokio::main]
async fn main() -> Result<()> {
    let mut sessions = AgentSessionService::new("")?;
    sessions.context_view = true;
    let created = sessions
        .create(CreateRequest {
            app_name: "my-app".into(),
            user_id: "alice".into(),
            session_id: None,
            state: HashMap::from([("city".into(), "Oslo".into())]),
        })
        .await?;
    let trip = created.try_identity()?;

    let lease = match sessions.acquire(&trip, LeaseOptions::default()).await {
        Err(error) if error.code == BUSY => {
            println!("{} is still at it", error.details.metadata["holder"]);
            return Ok(());
        }
        granted => granted?,
    };
    let mut rome = Event::new("turn-1"); // or a runner with this service, until lease.lost()
    rome.author = "planner".into();
    rome.actions.state_delta.insert("city".into(), "Rome".into());
    sessions.append_event_for_identity(AppendEventRequest { identity: trip.clone(), event: rome }).await?;

    let mut watch = sessions.watch(&trip, Some(0))?;
    if let Some(watched) = watch.try_next().await? {
        // or while, until the session is deleted
        println!("event {} by {}", watched.seq, watched.event.author);
    }

    let explained = sessions.state_at(&trip, None).await?;
    let city = &explained.keys["city"];
    println!("{} since event {:?}", city.value, city.event.as_ref().map(|event| event.seq));

    let before = ForkOptions { before_invocation_id: Some("turn-1".into()), ..ForkOptions::default() };
    let fork = sessions.fork(&trip, before).await?;
    sessions.rewind_before(&trip, "turn-1").await?;
    let now = sessions.get_for_identity(&trip).await?;
    println!("before: {:?}, and again: {:?}", fork.state().get("city"), now.state().get("city"));
    lease.release().await
}
