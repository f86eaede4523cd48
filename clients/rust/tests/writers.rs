// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

//! Writers in several languages increase a counter in one session at the same time. No increment is lost, a writer with
//! an outdated session gets an error, and each writer can read the events of all others.

mod common;

use std::{env, fs, path::Path, time::Duration};

use adk_core::{Content, Part};
use adk_session::SessionService;
use agent_sessions_adk::STALE;
use common::{Outcome, append, event, identity, service};
use serde_json::json;

const IMAGE: [u8; 5] = [1, 255, 254, 62, 63];

#[tokio::test]
async fn counts_with_other_languages() -> Outcome {
    let (Some((sessions, _)), Ok(writers)) = (service(), env::var("CONFORMANCE_WRITERS")) else { return Ok(()) };
    let writers: Vec<_> = writers.split_whitespace().collect();
    let shared = identity("writers", "alice", "shared")?;
    let count = |value: Option<serde_json::Value>| value.and_then(|count| count.as_f64()).unwrap() as usize;
    let (mut number, mut stale) = (0, 0);
    let mut session = sessions.get_for_identity(&shared).await?;
    meet(&writers, "read", "").await?; // so that all first appends but one are stale
    while number < 10 {
        let mut next = event(number, json!({"count": count(session.state().get("count")) + 1}));
        let args = json!({"by": "rust"});
        let parts = vec![
            Part::InlineData { mime_type: "image/png".into(), data: IMAGE.into(), uri: None, annotations: None },
            Part::FunctionCall { name: "count".into(), args, id: Some("c1".into()), thought_signature: None },
        ];
        next.llm_response.content = Some(Content { role: "model".into(), parts });
        match append(&sessions, &*session, next).await {
            Err(error) if error.code == STALE => stale += 1,
            appended => {
                appended?;
                number += 1;
            }
        }
        session = sessions.get_for_identity(&shared).await?;
    }
    meet(&writers, "stale", &format!("stale {stale}")).await?;
    let all = sessions.get_for_identity(&shared).await?;
    assert_eq!((count(all.state().get("count")), all.events().len()), (10 * writers.len(), 10 * writers.len()));
    let mut by = Vec::new();
    for content in all.events().all().into_iter().filter_map(|event| event.llm_response.content) {
        assert!(matches!(&content.parts[0], Part::InlineData { data, .. } if *data == IMAGE));
        let Part::FunctionCall { args, .. } = &content.parts[1] else { panic!("no call") };
        by.push(args["by"].as_str().unwrap().to_string());
    }
    for writer in writers {
        assert_eq!(by.iter().filter(|name| *name == writer).count(), 10, "{writer}");
    }
    Ok(())
}

/// Waits until all writers have reached this point; the script reads the content of the files.
async fn meet(writers: &[&str], place: &str, text: &str) -> Outcome {
    let folder = env::var("CONFORMANCE_MEETING")?;
    fs::write(format!("{folder}/rust.{place}"), text)?;
    while !writers.iter().all(|writer| Path::new(&format!("{folder}/{writer}.{place}")).exists()) {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    Ok(())
}
