// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

//! Separate from the other tests, which run at the same time and need the service.

mod common;

use std::{env, fs, path::Path, time::Duration};

use common::{Outcome, append, create, event, get, ids, service};
use serde_json::json;

#[tokio::test]
async fn goes_on_after_a_restart_of_the_service() -> Outcome {
    let (Some((sessions, app)), Ok(file)) = (service(), env::var("CONFORMANCE_RESTART")) else { return Ok(()) };
    let session = create(&sessions, &app, json!({})).await?;
    append(&sessions, &*session, event(1, json!({}))).await?;
    fs::write(&file, "")?;
    while Path::new(&file).exists() {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    append(&sessions, &*session, event(2, json!({}))).await?;
    assert_eq!(ids(&*get(&sessions, &*session).await?).len(), 2);
    Ok(())
}
