// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

use std::{future::ready, sync::Arc, time::Duration};

use adk_core::{AdkError, ErrorCategory, ErrorComponent, Result};
use futures::future::BoxFuture;
use reqwest::header::{HeaderMap, RETRY_AFTER};
use reqwest::{RequestBuilder, Response};
use serde_json::{Value, from_value, json};
use uuid::Uuid;

/// The code of the error if the session has other events by now than were read: read it again, and append again.
pub const STALE: &str = "session.stale";
/// The code of the error if there is no such session.
pub const NOT_FOUND: &str = "session.not_found";
/// The code of the error if there is a session with this id.
pub const ALREADY_EXISTS: &str = "session.already_exists";
/// The code of the error if the session has no such invocation.
pub const INVOCATION_NOT_FOUND: &str = "session.invocation_not_found";
/// The code of the error if somebody else has the lease of the session. `details.metadata` has the `holder` and the
/// `expireTime`, and `retry` says after how long at most it is over.
pub const BUSY: &str = "session.busy";
/// The code of the error if the lease of this turn has ended, or somebody else has taken it. Nothing was stored.
pub const LEASE_LOST: &str = "session.lease_lost";

const ATTEMPTS: u32 = 6;
const LONGEST_PAUSE: Duration = Duration::from_secs(10);

/// Gives the token of a user, or an empty text for none. It is asked before each attempt to send a request.
pub type Token = Arc<dyn Fn(String) -> BoxFuture<'static, Result<String>> + Send + Sync>;

/// The same token for all users, such as a key of the service.
pub fn always(token: impl Into<String>) -> Token {
    let token = token.into();
    Arc::new(move |_| Box::pin(ready(Ok(token.clone()))))
}

/// Sends a request until it is answered. All of ours may arrive twice, since events and sessions have ids.
pub(crate) async fn send(request: RequestBuilder, user: &str, token: &Token) -> Result<(HeaderMap, Value)> {
    let mut attempt = 1;
    loop {
        match read(authorized(&request, user, token).await?.send().await).await {
            Err(error) if error.is_retryable() && attempt < ATTEMPTS => pause(attempt, &error).await,
            answer => return answer,
        }
        attempt += 1;
    }
}

pub(crate) async fn authorized(request: &RequestBuilder, user: &str, token: &Token) -> Result<RequestBuilder> {
    let token = token(user.into()).await?;
    let again = request.try_clone().ok_or_else(|| invalid("a body that can be sent only once"))?;
    Ok(if token.is_empty() { again } else { again.bearer_auth(token) })
}

/// Waits before the next attempt, for as long as the service asks, if it does.
pub(crate) async fn pause(attempt: u32, error: &AdkError) {
    let usual = Duration::from_millis(50 << attempt);
    let usual = usual + usual * Uuid::new_v4().as_bytes()[0].into() / 256;
    tokio::time::sleep(error.retry.retry_after().unwrap_or(usual).min(LONGEST_PAUSE)).await;
}

/// What an answer says, or the error that it is.
pub(crate) async fn read(response: reqwest::Result<Response>) -> Result<(HeaderMap, Value)> {
    let response = response.map_err(lost)?;
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    let text = response.text().await.map_err(lost)?;
    let body: Value = serde_json::from_str(&text).unwrap_or_else(|_| json!({ "detail": text }));
    let (category, code) = match (status, body["code"].as_str()) {
        (..300, _) => return Ok((headers, body)),
        (_, Some("STALE_SESSION")) => (ErrorCategory::InvalidInput, STALE),
        (_, Some("ALREADY_EXISTS")) => (ErrorCategory::InvalidInput, ALREADY_EXISTS),
        (_, Some("SESSION_BUSY")) => (ErrorCategory::InvalidInput, BUSY),
        (_, Some("LEASE_LOST")) => (ErrorCategory::InvalidInput, LEASE_LOST),
        (_, Some("INVOCATION_NOT_FOUND")) => (ErrorCategory::NotFound, INVOCATION_NOT_FOUND),
        (404, _) => (ErrorCategory::NotFound, NOT_FOUND),
        (401, _) => (ErrorCategory::Unauthorized, "session.unauthorized"),
        (403, _) => (ErrorCategory::Forbidden, "session.forbidden"),
        (429 | 502..=504, _) => (ErrorCategory::Unavailable, "session.unavailable"),
        _ => (ErrorCategory::InvalidInput, "session.invalid"),
    };
    let message = format!("{status} {}: {}", body["code"], body["detail"]);
    let mut error = AdkError::new(ErrorComponent::Session, category, code, message).with_upstream_status(status);
    let pause = headers.get(RETRY_AFTER).and_then(|seconds| seconds.to_str().ok()?.parse::<u64>().ok());
    error.retry.retry_after_ms = pause.map(|seconds| seconds * 1000);
    // All that the answer says, such as who has a lease.
    error.details.metadata = from_value(body).unwrap_or_default();
    Err(error)
}

/// A request that could not be made, or whose answer got lost.
pub(crate) fn lost(error: reqwest::Error) -> AdkError {
    let category = if error.is_builder() { ErrorCategory::InvalidInput } else { ErrorCategory::Unavailable };
    AdkError::new(ErrorComponent::Session, category, "session.unavailable", error.to_string()).with_source(error)
}

pub(crate) fn invalid(message: impl ToString) -> AdkError {
    AdkError::new(ErrorComponent::Session, ErrorCategory::InvalidInput, "session.invalid", message.to_string())
}
