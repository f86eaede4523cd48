// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

//! Earlier states of sessions, forks, rewinds, pending calls, watches and leases, against a running service.

mod common;

use std::{env, error::Error, sync::Arc, time::Duration};

use adk_core::{AdkError, AdkIdentity, Content, ErrorCategory, FunctionResponseData, Part, SessionId};
use adk_session::{GetRequest, Session, SessionService};
use agent_sessions_adk::{ALREADY_EXISTS, BUSY, INVOCATION_NOT_FOUND, LEASE_LOST, NOT_FOUND, STALE};
use agent_sessions_adk::{AgentSessionService, ForkOptions, Lease, LeaseOptions, WatchedEvent};
use common::{Outcome, answering, append, create, create_with, event, get, ids, service, time};
use futures::{Stream, StreamExt, TryStreamExt};
use serde_json::json;
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Mutex, broadcast};
use tokio::time::{sleep, timeout};

#[tokio::test]
async fn reads_sessions_as_they_were() -> Outcome {
    let Some((sessions, app)) = service() else { return Ok(()) };
    let (trip, identity) = trip(&sessions, &app).await?;
    let at = |seq, newest| {
        let (app_name, user_id, session_id) = (app.clone(), "alice".into(), trip.id().into());
        sessions.session_at(GetRequest { app_name, user_id, session_id, num_recent_events: newest, after: None }, seq)
    };
    let states = [
        json!({"city": "Oslo"}),
        json!({"city": "Rome", "days": 3}),
        json!({"city": "Rome", "days": 5, "user:likes": "warmth"}),
    ];
    for (seq, state) in states.into_iter().enumerate() {
        let then = at(seq as u64, None).await?;
        assert_eq!(json!(then.state().all()), state);
        assert_eq!(ids(&*then), ids(&*trip)[..seq]);
    }
    assert_eq!(ids(&*at(2, Some(1)).await?), ids(&*trip)[1..]);
    assert_eq!(at(3, None).await.err().unwrap().category, ErrorCategory::InvalidInput);
    // A read of an earlier state does not count for the stale check of an append.
    at(0, None).await?;
    append(&sessions, &*trip, event(3, json!({}))).await?;
    sessions.delete_for_identity(&identity).await?;
    assert_eq!(at(0, None).await.err().unwrap().code, NOT_FOUND);
    Ok(())
}

#[tokio::test]
async fn explains_the_state() -> Outcome {
    let Some((sessions, app)) = service() else { return Ok(()) };
    let (trip, identity) = trip(&sessions, &app).await?;
    let now = sessions.state_at(&identity, None).await?;
    assert_eq!((now.seq, now.shared_state_current), (2, true));
    let key = |name: &str| {
        let key = &now.keys[name];
        let source = key.event.as_ref().unwrap();
        (&*key.scope, key.value.clone(), source.seq, &*source.event_id, &*source.author, source.timestamp)
    };
    let events = ids(&*trip);
    assert_eq!(key("city"), ("session", json!("Rome"), 1, &*events[0], "user", time(1)));
    assert_eq!(key("days"), ("session", json!(5), 2, &*events[1], "user", time(2)));
    assert_eq!(key("user:likes"), ("user", json!("warmth"), 2, &*events[1], "user", time(2)));
    let began = sessions.state_at(&identity, Some(0)).await?;
    assert_eq!((began.keys.len(), began.shared_state_current), (1, false));
    assert_eq!((&began.keys["city"].value, &began.keys["city"].event), (&json!("Oslo"), &None));
    let none = common::identity(&app, "alice", "none")?;
    assert_eq!(sessions.state_at(&none, None).await.unwrap_err().code, NOT_FOUND);
    Ok(())
}

#[tokio::test]
async fn a_fork_goes_on_alone() -> Outcome {
    let Some((sessions, app)) = service() else { return Ok(()) };
    let (trip, identity) = trip(&sessions, &app).await?;
    let flying = ForkOptions {
        before_invocation_id: Some("i-2".into()),
        new_session_id: Some(SessionId::try_from("plane")?),
        ..ForkOptions::default()
    };
    let plane = sessions.fork(&identity, flying.clone()).await?;
    assert_eq!((plane.id(), ids(&*plane)), ("plane", ids(&*trip)[..1].to_vec()));
    assert_eq!(json!(plane.state().all()), json!({"city": "Rome", "days": 3, "user:likes": "warmth"}));
    append(&sessions, &*plane, event(2, json!({"plane": true}))).await?;
    assert_eq!(get(&sessions, &*plane).await?.events().len(), 2);
    assert_eq!(json!(get(&sessions, &*trip).await?.state().all()), json!(trip.state().all()));
    let nothing = ForkOptions { at_seq: Some(0), ..ForkOptions::default() };
    assert_eq!(sessions.fork(&identity, nothing).await?.events().len(), 0);
    let all = ForkOptions { display_name: Some("All of it".into()), ..ForkOptions::default() };
    assert_eq!(ids(&*sessions.fork(&identity, all).await?), ids(&*trip));

    assert_eq!(sessions.fork(&identity, flying).await.err().unwrap().code, ALREADY_EXISTS);
    let unknown = ForkOptions { before_invocation_id: Some("none".into()), ..ForkOptions::default() };
    assert_eq!(sessions.fork(&identity, unknown).await.err().unwrap().code, INVOCATION_NOT_FOUND);
    Ok(())
}

#[tokio::test]
async fn rewinds_and_the_context_view_leaves_out_what_was_rewound() -> Outcome {
    let (Some((sessions, app)), Some((mut context, _))) = (service(), service()) else { return Ok(()) };
    context.context_view = true;
    let (trip, identity) = trip(&sessions, &app).await?;
    context.get_for_identity(&identity).await?;
    let back = sessions.rewind_before(&identity, "i-2").await?;
    assert_eq!(json!(back.actions.state_delta), json!({"days": 3}));
    let now = get(&sessions, &*trip).await?;
    assert_eq!(json!(now.state().all()), json!({"city": "Rome", "days": 3, "user:likes": "warmth"}));
    assert_eq!(now.events().at(2).unwrap().id, back.id);
    assert_eq!(context.rewind_before(&identity, "i-1").await.unwrap_err().code, STALE);
    assert_eq!(sessions.rewind_before(&identity, "none").await.unwrap_err().code, INVOCATION_NOT_FOUND);

    assert_eq!(ids(&*context.get_for_identity(&identity).await?), ids(&*trip)[..1]);
    append(&context, &*trip, event(3, json!({}))).await?;
    assert_eq!(append(&sessions, &*trip, event(3, json!({}))).await.unwrap_err().code, STALE);
    // The initial state of the session counts too; keys that did not exist become null.
    get(&sessions, &*trip).await?;
    sessions.rewind_before(&identity, "i-1").await?;
    append(&sessions, &*trip, event(4, json!({}))).await?;
    let began = context.get_for_identity(&identity).await?;
    assert_eq!(json!(began.state().all()), json!({"city": "Oslo", "days": null, "user:likes": "warmth"}));
    assert_eq!(began.events().len(), 1);
    Ok(())
}

#[tokio::test]
async fn lists_the_calls_that_wait_for_an_answer() -> Outcome {
    let Some((sessions, app)) = service() else { return Ok(()) };
    let (trip, identity) = trip(&sessions, &app).await?;
    let asking = |ids: Vec<String>| {
        let mut turn = event(3, json!({}));
        turn.author = "planner".into();
        let call = |id: &String| Part::FunctionCall {
            name: "book".into(),
            args: json!({"city": "Rome"}),
            id: Some(id.clone()),
            thought_signature: None,
        };
        turn.llm_response.content = Some(Content { role: "model".into(), parts: ids.iter().map(call).collect() });
        turn.long_running_tool_ids = ids;
        turn
    };
    let book = asking(vec!["c1".into()]);
    append(&sessions, &*trip, book.clone()).await?;
    let waiting = sessions.pending_calls(&identity).await?;
    let call = &waiting[0].function_call;
    assert_eq!((waiting.len(), waiting[0].seq, &waiting[0].event_id), (1, 3, &book.id));
    assert_eq!(waiting[0].since, get(&sessions, &*trip).await?.last_update_time());
    assert_eq!((&*call.id, &*call.name, &call.args), ("c1", "book", &Some(json!({"city": "Rome"}))));
    let mut answer = event(4, json!({}));
    let function_response = FunctionResponseData::new("book", json!({"ok": true}));
    let part = Part::FunctionResponse { function_response, id: Some("c1".into()), annotations: None };
    answer.llm_response.content = Some(Content { role: "user".into(), parts: vec![part] });
    append(&sessions, &*trip, answer).await?;
    assert!(sessions.pending_calls(&identity).await?.is_empty());

    append(&sessions, &*trip, asking((0..1000).map(|number| format!("n{number}")).collect())).await?;
    append(&sessions, &*trip, asking(vec!["c2".into()])).await?;
    let waiting = sessions.pending_calls(&identity).await?;
    assert_eq!((waiting.len(), waiting[1000].seq), (1001, 6));
    let none = common::identity(&app, "alice", "none")?;
    assert_eq!(sessions.pending_calls(&none).await.unwrap_err().code, NOT_FOUND);
    Ok(())
}

#[tokio::test]
async fn watches_what_is_there_and_then_what_comes() -> Outcome {
    let Some((sessions, app)) = service() else { return Ok(()) };
    let (trip, identity) = trip(&sessions, &app).await?;
    let mut watch = sessions.watch(&identity, Some(1))?;
    append(&sessions, &*trip, event(3, json!({"k": 1}))).await?;
    let seen = [next(&mut watch).await?, next(&mut watch).await?].map(Option::unwrap);
    let stored = get(&sessions, &*trip).await?.events().all();
    assert_eq!(seen.each_ref().map(|watched| watched.seq), [2, 3]);
    assert_eq!(json!(seen.map(|watched| watched.event)), json!(stored[1..]));
    sessions.delete_for_identity(&identity).await?;
    assert!(next(&mut watch).await?.is_none());
    Ok(())
}

#[tokio::test]
async fn a_watch_misses_and_repeats_nothing_when_it_is_cut_off() -> Outcome {
    let Some((sessions, app)) = service() else { return Ok(()) };
    let (trip, identity) = trip(&sessions, &app).await?;
    let cutter = Cutter::start().await?;
    let watch = AgentSessionService::new(&cutter.url)?.watch(&identity, None)?;
    let seen = tokio::spawn(watch.take(10).try_collect::<Vec<_>>());
    cutter.wait_for_connection().await; // the watch has begun, and the service has sent no event
    cutter.cut();
    for number in 0..10 {
        append(&sessions, &*trip, event(number, json!({}))).await?;
        if number % 3 == 0 {
            cutter.cut();
        }
    }
    let seen = timeout(Duration::from_secs(120), seen).await???;
    let (seqs, events): (Vec<_>, Vec<_>) = seen.into_iter().map(|watched| (watched.seq, watched.event.id)).unzip();
    assert_eq!(seqs, (3..=12).collect::<Vec<_>>());
    assert_eq!(events, ids(&*get(&sessions, &*trip).await?)[2..]);
    Ok(())
}

#[tokio::test]
async fn a_watch_shows_nothing_of_a_session_that_takes_its_place() -> Outcome {
    let Some((sessions, app)) = service() else { return Ok(()) };
    let (mut trip, identity) = trip(&sessions, &app).await?;
    let cutter = Cutter::start().await?;
    for more in [3, 1] {
        // the new session has more events than the first one, or fewer
        let mut watch = AgentSessionService::new(&cutter.url)?.watch(&identity, Some(0))?;
        for _ in 0..get(&sessions, &*trip).await?.events().len() {
            next(&mut watch).await?.unwrap();
        }
        let hold = cutter.hold.lock().await;
        cutter.cut();
        sessions.delete_for_identity(&identity).await?;
        trip = create_with(&sessions, &app, "alice", Some(trip.id()), json!({})).await?;
        for number in 0..more {
            append(&sessions, &*trip, event(number, json!({}))).await?;
        }
        drop(hold);
        assert!(next(&mut watch).await?.is_none());
    }
    Ok(())
}

#[tokio::test]
async fn a_watch_tells_that_it_cannot_go_on() -> Outcome {
    let Some((sessions, app)) = service() else { return Ok(()) };
    let (_, identity) = trip(&sessions, &app).await?;
    let none = common::identity(&app, "alice", "none")?;
    let mut watch = sessions.watch(&none, None)?;
    assert_eq!(next(&mut watch).await.unwrap_err().code, NOT_FOUND);
    assert!(next(&mut watch).await?.is_none());
    let refused = next(&mut sessions.watch(&identity, Some(7))?).await.unwrap_err();
    assert_eq!(refused.category, ErrorCategory::InvalidInput);
    Ok(())
}

/// Uses canned responses of the service.
#[tokio::test]
async fn a_watch_asks_for_a_new_token_and_waits_as_long_as_it_is_told() -> Outcome {
    let stream =
        |messages: &str| format!("HTTP/1.1 200 OK\r\nETag: \"7.abc.1\"\r\nConnection: close\r\n\r\n{messages}");
    let (url, asked) = answering([
        stream("retry: 1000\nid: 1\n\nid: 2.17\r\ndata: {\"id\": \"e-2\"}\r\n\r\nevent: end\ndata: {\"reason\": \"CREDENTIALS_EXPIRED\"}\n\n"),
        stream(":\n\nid: 3.18\ndata: {\"id\": \"e-3\"}\n\nid: 4\ndata: {\"id\": \"e"),
        "HTTP/1.1 503 Busy\r\nRetry-After: 2\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}".into(),
        stream("id: 4\ndata: {\"id\": \"e-4\"}\n\nevent: end\ndata: {\"reason\": \"SESSION_EXPIRED\"}\n\n"),
    ])
    .await?;
    let mut sessions = AgentSessionService::new(&url)?;
    let tokens = Arc::new(std::sync::atomic::AtomicU32::new(1));
    sessions.token = Arc::new(move |_| {
        let number = tokens.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        Box::pin(async move { Ok(format!("t-{number}")) })
    });
    let began = std::time::Instant::now();
    let seen: Vec<_> = sessions.watch(&common::identity("a", "u", "s")?, None)?.try_collect().await?;
    let seen: Vec<_> = seen.into_iter().map(|watched| (watched.seq, watched.event.id)).collect();
    assert_eq!(seen, [(2, "e-2".into()), (3, "e-3".into()), (4, "e-4".into())]);
    assert!(began.elapsed() >= Duration::from_secs(2));
    let asked: Vec<_> = asked.await?.iter().map(|request| request.to_lowercase()).collect();
    for (number, (after, id)) in [
        ("events:watch ", ""),
        ("?afterseq=2 ", "last-event-id: 2.17"),
        ("?afterseq=3 ", "last-event-id: 3.18"),
        ("?afterseq=3 ", "last-event-id: 3.18"),
    ]
    .into_iter()
    .enumerate()
    {
        let request = &asked[number];
        assert!(
            request.contains(after) && request.contains(id) && request.contains(&format!("bearer t-{}", number + 1)),
            "{request}"
        );
    }
    Ok(())
}

#[tokio::test]
async fn a_second_turn_is_told_who_is_at_it() -> Outcome {
    let (Some((sessions, app)), Some((other, _))) = (service(), service()) else { return Ok(()) };
    let (trip, identity) = trip(&sessions, &app).await?;
    let options = LeaseOptions { holder: Some("worker-7".into()), ttl: Duration::from_secs(4), exclusive: true };
    let lease = sessions.acquire(&identity, options).await?;
    let busy = other.acquire(&identity, LeaseOptions::default()).await.unwrap_err();
    assert_eq!((busy.code, busy.is_retryable()), (BUSY, false));
    assert_eq!(busy.details.metadata["holder"], lease.holder());
    assert!(lease.holder().starts_with("worker-7:"));
    assert!(busy.retry.retry_after().is_some_and(|after| !after.is_zero() && after <= Duration::from_secs(4)));

    // The client renews the lease during the turn; appends through this service object are under it.
    assert!(timeout(Duration::from_secs(9), lease.lost()).await.is_err());
    get(&other, &*trip).await?;
    assert_eq!(append(&other, &*trip, event(3, json!({}))).await.unwrap_err().code, BUSY);
    append(&sessions, &*trip, event(3, json!({}))).await?;
    sessions.rewind_before(&identity, "i-3").await?;

    let number = lease.number();
    lease.release().await?;
    let second = other.acquire(&identity, LeaseOptions::default()).await?;
    assert!(second.number() > number);
    append(&sessions, &*trip, event(4, json!({}))).await?; // the lease is not exclusive
    drop(second);
    until_free(&sessions, &identity).await
}

#[tokio::test]
async fn a_lost_turn_stores_nothing_more() -> Outcome {
    let (Some((sessions, app)), Some((other, _))) = (service(), service()) else { return Ok(()) };
    for noticed in [false, true] {
        // the client learns of the loss from an append, or from a renewal
        let session = create(&sessions, &app, json!({})).await?;
        let identity = session.try_identity()?;
        let ttl = Duration::from_secs(if noticed { 1 } else { 3600 });
        let lease = sessions.acquire(&identity, LeaseOptions { ttl, ..LeaseOptions::default() }).await?;
        steal(&*session, &lease).await?;
        let others = other.acquire(&identity, LeaseOptions::default()).await?;
        if noticed {
            timeout(Duration::from_secs(120), lease.lost()).await?;
        }
        for _ in 0..2 {
            assert_eq!(append(&sessions, &*session, event(1, json!({}))).await.unwrap_err().code, LEASE_LOST);
        }
        assert_eq!(get(&sessions, &*session).await?.events().len(), 0);
        lease.release().await?;
        assert_eq!(sessions.acquire(&identity, LeaseOptions::default()).await.unwrap_err().code, BUSY);
        others.release().await?;
    }
    Ok(())
}

#[tokio::test]
async fn a_lease_that_nobody_waits_for_any_more_is_given_back() -> Outcome {
    let Some((sessions, app)) = service() else { return Ok(()) };
    let session = create(&sessions, &app, json!({})).await?;
    let identity = session.try_identity()?;
    for patience in 0..30 {
        let asked = sessions.acquire(&identity, LeaseOptions::default());
        let _ = timeout(Duration::from_micros(patience * 200), asked).await; // a lease that it returns is dropped
    }
    until_free(&sessions, &identity).await?;
    append(&sessions, &*session, event(1, json!({}))).await?;
    Ok(())
}

/// Creates a session with two events; its initial city is Oslo.
async fn trip(sessions: &AgentSessionService, app: &str) -> Result<(Box<dyn Session>, AdkIdentity), Box<dyn Error>> {
    let session = create(sessions, app, json!({"city": "Oslo"})).await?;
    append(sessions, &*session, event(1, json!({"city": "Rome", "days": 3}))).await?;
    append(sessions, &*session, event(2, json!({"days": 5, "user:likes": "warmth"}))).await?;
    let identity = session.try_identity()?;
    Ok((sessions.get_for_identity(&identity).await?, identity))
}

type Next = Result<Option<WatchedEvent>, AdkError>;

async fn next(watch: &mut (impl Stream<Item = Result<WatchedEvent, AdkError>> + Unpin)) -> Next {
    timeout(Duration::from_secs(120), watch.try_next()).await.expect("something in time")
}

/// Ends a lease as if this process had slept longer than its `ttl`.
async fn steal(session: &dyn Session, lease: &Lease) -> Outcome {
    let url = format!(
        "{}/apps/{}/users/alice/sessions/{}:release",
        env::var("AGENT_SESSIONS_URL")?,
        session.app_name(),
        session.id()
    );
    let request = reqwest::Client::new().post(url).header("Lease", lease.number());
    let key = env::var("AGENT_SESSIONS_API_KEY").unwrap_or_default();
    request.bearer_auth(key).send().await?.error_for_status()?;
    Ok(())
}

async fn until_free(sessions: &AgentSessionService, identity: &AdkIdentity) -> Outcome {
    loop {
        match sessions.acquire(identity, LeaseOptions::default()).await {
            Ok(lease) => return Ok(lease.release().await?),
            Err(error) => assert_eq!(error.code, BUSY),
        }
        sleep(Duration::from_millis(50)).await;
    }
}

/// Forwards bytes between client and service, and cuts connections on request.
struct Cutter {
    url: String,
    /// While locked, the cutter makes no connection.
    hold: Arc<Mutex<()>>,
    cut: broadcast::Sender<()>,
}

impl Cutter {
    async fn start() -> Result<Self, Box<dyn Error>> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let url = format!("http://{}", listener.local_addr()?);
        let service = env::var("AGENT_SESSIONS_URL")?.replace("http://", "");
        let (hold, cut) = (Arc::new(Mutex::new(())), broadcast::channel(16).0);
        let cutter = Self { url, hold: hold.clone(), cut: cut.clone() };
        tokio::spawn(async move {
            while let Ok((mut client, _)) = listener.accept().await {
                let (hold, service, cut) = (hold.clone(), service.clone(), cut.clone());
                tokio::spawn(async move {
                    drop(hold.lock().await);
                    let mut cut = cut.subscribe();
                    let mut service = TcpStream::connect(service).await.unwrap();
                    tokio::select! {
                        _ = copy_bidirectional(&mut client, &mut service) => {}
                        _ = cut.recv() => {}
                    }
                });
            }
        });
        Ok(cutter)
    }

    fn cut(&self) {
        let _ = self.cut.send(());
    }

    async fn wait_for_connection(&self) {
        while self.cut.receiver_count() == 0 {
            sleep(Duration::from_millis(10)).await;
        }
        sleep(Duration::from_millis(300)).await;
    }
}
