// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

use std::sync::atomic::{AtomicBool, Ordering};
use std::{error::Error, io, iter::successors, sync::Arc, time::Duration};

use adk_core::{AdkError, ErrorCategory, ErrorComponent, Result, RetryHint};
use reqwest::Url;
use tokio::time::{Instant, sleep};
use uuid::Uuid;

use crate::client::{UNAVAILABLE, invalid};

const LONGEST_PAUSE: Duration = Duration::from_secs(10);
const LONGEST_UNCONNECTED: Duration = Duration::from_secs(3);

/// The metadata key of an error for which the client could not connect.
const UNCONNECTED: &str = "unconnected";

/// The address of the service, and whether the client can connect to it.
pub(crate) struct Reach {
    pub address: Url,
    /// How long the client retries a request while it cannot connect.
    pub unavailable_timeout: Duration,
    /// Whether the last attempt to connect failed.
    pub away: Arc<AtomicBool>,
}

/// Parses the address of a service, and removes credentials, query and fragment.
pub(crate) fn address(text: &str) -> Result<Url> {
    let wrong = || invalid(format!("the address of the service has to begin with http:// or https://: {text:?}"));
    let mut address = Url::parse(text).map_err(|error| wrong().with_source(error))?;
    if !["http", "https"].contains(&address.scheme()) {
        return Err(wrong());
    }
    address.set_query(None);
    address.set_fragment(None);
    address.set_username("").and_then(|()| address.set_password(None)).map_err(|()| wrong())?;
    Ok(address)
}

/// Returns the URL of a resource. Rejects names that would change the path.
pub(crate) fn url(address: &Url, names: &[&str]) -> Result<Url> {
    if names.iter().any(|name| ["", ".", ".."].contains(&name.trim()) || name.contains(char::is_control)) {
        return Err(invalid(format!("not all names of an app, a user or a session: {names:?}")));
    }
    let mut url = address.clone();
    url.path_segments_mut().map_err(|()| invalid("no address of a service"))?.pop_if_empty().extend(names);
    Ok(url)
}

impl Reach {
    /// Records a response: the client logs the next failure to connect again.
    pub fn answered(&self) {
        self.away.store(false, Ordering::Relaxed);
    }

    /// Returns the error of a request without a response. Logs the first failure to connect.
    pub fn failed(&self, error: reqwest::Error) -> AdkError {
        let error = error.without_url(); // the URL names the user
        if error.is_builder() {
            return invalid(&error).with_source(error);
        }
        let reason = causes(&error).last().map(ToString::to_string).unwrap_or_default();
        let (place, patience) = (self.address.as_str().trim_end_matches('/'), self.unavailable_timeout);
        if lasts(&error) {
            let problem = unavailable(format!("{place} cannot be reached: {reason}"));
            return problem.with_retry(RetryHint::default()).with_source(error);
        }
        if !error.is_connect() {
            return unavailable(format!("no answer from {place}: {reason}")).with_source(error);
        }
        if !self.away.swap(true, Ordering::Relaxed) {
            tracing::warn!(
                "Agent Sessions at {place} cannot be reached, requests are sent again for {patience:?}: {reason}"
            );
        }
        let mut problem =
            unavailable(format!("{place} could not be reached for {patience:?}: {reason}")).with_source(error);
        problem.details.metadata.insert(UNCONNECTED.into(), true.into());
        problem
    }
}

pub(crate) fn unavailable(message: impl Into<String>) -> AdkError {
    AdkError::new(ErrorComponent::Session, ErrorCategory::Unavailable, UNAVAILABLE, message)
}

/// Whether the error is permanent: the host does not exist, its certificate is not trusted, or it uses another
/// protocol.
fn lasts(error: &reqwest::Error) -> bool {
    causes(error).any(|cause| {
        let text = cause.to_string();
        let unknown = text.contains("failed to lookup address information") && !text.contains("Temporary failure");
        unknown || is_mismatch(cause) || text.starts_with("invalid HTTP version")
    })
}

/// Whether TLS with the server is impossible. The reason may be inside an error of another kind, which hides it.
fn is_mismatch(cause: &(dyn Error + 'static)) -> bool {
    cause.downcast_ref::<io::Error>().is_some_and(|error| {
        error.kind() == io::ErrorKind::InvalidData || error.get_ref().is_some_and(|inner| is_mismatch(inner))
    })
}

fn causes(error: &reqwest::Error) -> impl Iterator<Item = &(dyn Error + 'static)> {
    successors(Some(error as &(dyn Error + 'static)), |&cause| cause.source())
}

/// The attempts of one request, or the reconnects of a watch.
pub(crate) struct Attempts {
    /// Remaining attempts that may have reached the service.
    left: u32,
    /// How long to retry while the client cannot connect.
    patience: Duration,
    /// Since when the client cannot connect.
    since: Option<Instant>,
    pause: Duration,
}

impl Attempts {
    pub fn new(most: u32, patience: Duration) -> Self {
        Self { left: most, patience, since: None, pause: Duration::from_millis(100) }
    }

    /// Waits before the next attempt; the Retry-After of the service takes precedence. Returns the error if there is no
    /// next attempt.
    pub async fn pause(&mut self, error: AdkError) -> Result<()> {
        let usual = self.pause + self.pause * Uuid::new_v4().as_bytes()[0].into() / 256;
        let wait = if error.details.metadata.contains_key(UNCONNECTED) {
            let left = self.patience.saturating_sub(self.since.get_or_insert_with(Instant::now).elapsed());
            usual.min(LONGEST_UNCONNECTED).min(left)
        } else {
            self.since = None;
            self.left -= 1;
            let again = error.is_retryable() && self.left > 0;
            let asked = error.retry.retry_after().filter(|asked| !asked.is_zero());
            if again { asked.unwrap_or(usual) } else { Duration::ZERO }
        };
        if wait.is_zero() {
            return Err(error);
        }
        self.pause = (self.pause * 2).min(LONGEST_PAUSE);
        sleep(wait.min(LONGEST_PAUSE)).await;
        Ok(())
    }
}
