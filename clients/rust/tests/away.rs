// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

//! The client waits for an unreachable service, unless waiting does not help.

mod common;

use std::net::TcpListener;

use std::{env, time::Duration};

use adk_core::{AdkError, ErrorCategory};
use agent_sessions_adk::{AgentSessionService, UNAVAILABLE};
use common::{Log, Outcome, create, get};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional};
use tokio::net::TcpStream;
use tracing::subscriber::set_default;

#[tokio::test]
async fn waits_for_a_service_that_is_away() -> Outcome {
    let Some((_, app)) = common::service() else { return Ok(()) };
    let place = unused()?;
    let back = place.clone();
    let log = Log::new(move || forward(&back)); // the service starts after the first failure is logged
    let _guard = set_default(log.clone());
    let sessions = AgentSessionService::new(&format!("http://{place}"))?;
    let created = create(&sessions, &app, json!({})).await?;
    assert_eq!(get(&sessions, &*created).await?.id(), created.id());
    let lines = log.lines();
    assert_eq!(lines.len(), 1, "{lines:?}");
    let expected = format!("Agent Sessions at http://{place} cannot be reached, ");
    assert!(lines[0].starts_with(&expected), "{lines:?}");
    Ok(())
}

#[tokio::test]
async fn says_where_no_service_is() -> Outcome {
    let log = Log::new(|| ());
    let _guard = set_default(log.clone());
    let place = unused()?;
    let mut sessions = AgentSessionService::new(&format!("http://alice:secret@{place}/"))?;
    sessions.unavailable_timeout = Duration::from_millis(200);
    for _ in 0..2 {
        let away = create(&sessions, "app", json!({})).await.err().unwrap();
        assert_eq!((away.code, away.category, away.is_retryable()), (UNAVAILABLE, ErrorCategory::Unavailable, true));
        assert!(away.message.starts_with(&format!("http://{place} could not be reached for 200ms: ")), "{away}");
    }
    assert_eq!(log.lines().len(), 1);
    assert!(!log.lines()[0].contains("alice"));
    Ok(())
}

#[tokio::test]
async fn fails_at_once_where_waiting_does_not_help() -> Outcome {
    let plain = answering(b"HTTP/1.1 400 Bad Request\r\n\r\n").await?;
    let secured = answering(&[21, 3, 3, 0, 2, 2, 70]).await?; // as a TLS server answers a client without TLS
    let unknown = "http://no-such-host.invalid".to_string();
    for url in &[unknown, format!("https://{plain}"), format!("http://{secured}")] {
        let away = refused(url).await?;
        assert_eq!((away.code, away.is_retryable()), (UNAVAILABLE, false), "{away}");
        assert!(away.message.starts_with(&format!("{url} cannot be reached: ")), "{away}");
    }
    for url in ["localhost:8080", "127.0.0.1:8080", "ftp://localhost", "http://", "/"] {
        let invalid = AgentSessionService::new(url).err().unwrap();
        assert_eq!(invalid.category, ErrorCategory::InvalidInput);
        assert!(invalid.message.contains(&format!("{url:?}")), "{invalid}");
    }
    Ok(())
}

async fn refused(url: &str) -> Result<AdkError, AdkError> {
    let mut sessions = AgentSessionService::new(url)?;
    sessions.unavailable_timeout = Duration::from_secs(24 * 3600);
    Ok(create(&sessions, "app", json!({})).await.err().unwrap())
}

fn unused() -> std::io::Result<String> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.to_string())
}

/// Forwards connections from an address to the service.
fn forward(place: &str) {
    let listener = TcpListener::bind(place).unwrap();
    listener.set_nonblocking(true).unwrap();
    let listener = tokio::net::TcpListener::from_std(listener).unwrap();
    let service = env::var("AGENT_SESSIONS_URL").unwrap().replace("http://", "");
    tokio::spawn(async move {
        while let Ok((mut client, _)) = listener.accept().await {
            let mut upstream = TcpStream::connect(&service).await.unwrap();
            tokio::spawn(async move { copy_bidirectional(&mut client, &mut upstream).await });
        }
    });
}

/// Starts a server that sends this answer on every connection, and returns its address.
async fn answering(answer: &'static [u8]) -> std::io::Result<String> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    let place = listener.local_addr()?.to_string();
    tokio::spawn(async move {
        while let Ok((mut client, _)) = listener.accept().await {
            let _ = client.read(&mut [0; 1000]).await;
            let _ = client.write_all(answer).await;
        }
    });
    Ok(place)
}
