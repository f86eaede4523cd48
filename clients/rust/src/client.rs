// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

use std::{future::ready, sync::Arc};

use adk_core::{AdkError, ErrorCategory, ErrorComponent, Result};
use futures::future::BoxFuture;
use reqwest::header::{HeaderMap, RETRY_AFTER};
use reqwest::{RequestBuilder, Response};
use serde_json::{Value, from_value, json};
use uuid::Uuid;

use crate::reach::{Attempts, Reach};

/// Error code: the session has other events than the client has read. Read it again, and append again.
pub const STALE: &str = "session.stale";
/// Error code: the session does not exist.
pub const NOT_FOUND: &str = "session.not_found";
/// Error code: a session with this id exists.
pub const ALREADY_EXISTS: &str = "session.already_exists";
/// Error code: the session has no such invocation.
pub const INVOCATION_NOT_FOUND: &str = "session.invocation_not_found";
/// Error code: another holder has the lease of the session. `details.metadata` has the `holder` and the `expireTime`.
/// `retry` has the longest time until the lease expires without renewal.
pub const BUSY: &str = "session.busy";
/// Error code: the lease of this turn has ended, or another holder has taken it. The service stored nothing.
pub const LEASE_LOST: &str = "session.lease_lost";
/// Error code: the artifact or this version does not exist.
pub const ARTIFACT_NOT_FOUND: &str = "artifact.not_found";
/// Error code: the client cannot reach the service, or the service cannot serve requests for now. If the client cannot
/// reach the service, the error names the address.
pub const UNAVAILABLE: &str = "session.unavailable";

/// Maximum number of attempts of a request that may have reached the service.
const ATTEMPTS: u32 = 6;

/// Returns the token of a user, or an empty text for no token. The client calls it before each attempt of a request.
pub type Token = Arc<dyn Fn(String) -> BoxFuture<'static, Result<String>> + Send + Sync>;

/// Returns the same token for all users, such as an API key of the service.
pub fn always(token: impl Into<String>) -> Token {
    let token = token.into();
    Arc::new(move |_| Box::pin(ready(Ok(token.clone()))))
}

/// Sends the requests of one user.
pub(crate) struct Client {
    pub user: String,
    pub token: Token,
    pub reach: Reach,
}

impl Client {
    /// Sends a request, and retries it until there is a response. Each request of this crate is safe to send twice,
    /// since events have ids, and creations and saves have a key.
    pub async fn send(&self, request: RequestBuilder) -> Result<(HeaderMap, Value)> {
        let mut attempts = Attempts::new(ATTEMPTS, self.reach.unavailable_timeout);
        loop {
            match self.read(self.authorized(&request).await?.send().await).await {
                Err(error) => attempts.pause(error).await?,
                answer => return answer,
            }
        }
    }

    pub async fn authorized(&self, request: &RequestBuilder) -> Result<RequestBuilder> {
        let token = (self.token)(self.user.clone()).await?;
        let again = request.try_clone().ok_or_else(|| invalid("a body that can be sent only once"))?;
        Ok(if token.is_empty() { again } else { again.bearer_auth(token) })
    }

    /// Reads a response, and returns its headers and body or its error.
    pub async fn read(&self, response: reqwest::Result<Response>) -> Result<(HeaderMap, Value)> {
        let response = response.map_err(|error| self.reach.failed(error))?;
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let text = response.text().await.map_err(|error| self.reach.failed(error))?;
        self.reach.answered();
        answer(status, headers, text)
    }
}

/// Adds the header by which the service knows a retry of one creation or one save.
pub(crate) fn repeatable(request: RequestBuilder) -> RequestBuilder {
    request.header("Idempotency-Key", Uuid::new_v4().to_string())
}

/// Returns the headers and the JSON body of a response, or its error.
fn answer(status: u16, headers: HeaderMap, text: String) -> Result<(HeaderMap, Value)> {
    let body: Value = serde_json::from_str(&text).unwrap_or_else(|_| json!({ "detail": text }));
    let (category, code) = match (status, body["code"].as_str()) {
        (..300, _) => return Ok((headers, body)),
        (_, Some("STALE_SESSION")) => (ErrorCategory::InvalidInput, STALE),
        (_, Some("ALREADY_EXISTS")) => (ErrorCategory::InvalidInput, ALREADY_EXISTS),
        (_, Some("SESSION_BUSY")) => (ErrorCategory::InvalidInput, BUSY),
        (_, Some("LEASE_LOST")) => (ErrorCategory::InvalidInput, LEASE_LOST),
        (_, Some("INVOCATION_NOT_FOUND")) => (ErrorCategory::NotFound, INVOCATION_NOT_FOUND),
        (_, Some("ARTIFACT_NOT_FOUND")) => (ErrorCategory::NotFound, ARTIFACT_NOT_FOUND),
        (404, _) => (ErrorCategory::NotFound, NOT_FOUND),
        (401, _) => (ErrorCategory::Unauthorized, "session.unauthorized"),
        (403, _) => (ErrorCategory::Forbidden, "session.forbidden"),
        (429 | 502..=504, _) => (ErrorCategory::Unavailable, UNAVAILABLE),
        _ => (ErrorCategory::InvalidInput, "session.invalid"),
    };
    let message = format!("{status} {}: {}", body["code"], body["detail"]);
    let mut error = AdkError::new(ErrorComponent::Session, category, code, message).with_upstream_status(status);
    let pause = headers.get(RETRY_AFTER).and_then(|seconds| seconds.to_str().ok()?.parse::<u64>().ok());
    error.retry.retry_after_ms = pause.map(|seconds| seconds * 1000);
    // All fields of the response, such as the holder of a lease.
    error.details.metadata = from_value(body).unwrap_or_default();
    Err(error)
}

pub(crate) fn invalid(message: impl ToString) -> AdkError {
    AdkError::new(ErrorComponent::Session, ErrorCategory::InvalidInput, "session.invalid", message.to_string())
}
