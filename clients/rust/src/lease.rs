// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

use std::collections::HashMap;
use std::future::pending;
use std::sync::{Arc, Mutex};
use std::{env, pin::pin, process, time::Duration};

use adk_core::{AdkIdentity, Result};
use futures::future::select;
use reqwest::{RequestBuilder, Url};
use serde_json::json;
use tokio::sync::{oneshot, watch};
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};
use uuid::Uuid;

use crate::client::{Client, LEASE_LOST, NOT_FOUND, invalid};
use crate::service::AgentSessionService;

/// The request header with the lease number.
const LEASE: &str = "lease";

/// The time limit of a release.
const LONGEST_RELEASE: Duration = Duration::from_secs(10);

/// The numbers of the leases that a service object holds.
pub(crate) type Leases = Arc<Mutex<HashMap<AdkIdentity, u64>>>;

/// Options of the lease of a session.
#[derive(Clone, Debug)]
pub struct LeaseOptions {
    /// The name of the lease holder that other clients see; this machine and process if not provided. The client adds a
    /// random suffix.
    pub holder: Option<String>,
    /// The time after which the lease expires if this process dies or stops: 1 second to 1 hour, 1 minute by default.
    /// While the turn lasts, the client renews the lease after each third of it.
    pub ttl: Duration,
    /// Whether the service refuses all other appends while the lease is held, including appends without a lease.
    pub exclusive: bool,
}

impl Default for LeaseOptions {
    fn default() -> Self {
        Self { holder: None, ttl: Duration::from_secs(60), exclusive: false }
    }
}

/// The right to run a turn on a session. One holder has it at a time. The client renews the lease until this object is
/// dropped, and then releases it.
#[derive(Debug)]
#[must_use = "a lease that is dropped is given back"]
pub struct Lease {
    holder: String,
    held: Held,
    lost: watch::Receiver<bool>,
    turn: oneshot::Sender<()>,
    released: JoinHandle<Result<()>>,
}

impl Lease {
    /// The number that the client sends with each append. It is greater than the number of every earlier lease of the
    /// session.
    pub fn number(&self) -> u64 {
        self.held.number
    }

    /// The name of the lease holder that other clients see.
    pub fn holder(&self) -> &str {
        &self.holder
    }

    /// Waits until the lease is lost, for example because this process sleeps longer than the `ttl`. Then the service
    /// stores nothing more of this turn, and another holder may have started one.
    pub async fn lost(&self) {
        let _ = self.lost.clone().wait_for(|lost| *lost).await;
    }

    /// Releases the lease, as dropping it does, and waits for the result. A lease that no longer exists is no error.
    ///
    /// # Errors
    ///
    /// If the client cannot reach the service; then the lease expires.
    pub async fn release(self) -> Result<()> {
        drop((self.held, self.turn));
        self.released.await.map_err(invalid)?
    }
}

/// Leases: one turn at a time.
impl AgentSessionService {
    /// Takes the lease of a session for a turn. Call it before you read the session. While the lease is held, appends
    /// to the session through this service object are under the lease. They fail with [`LEASE_LOST`] once the lease is
    /// lost. A tokio task renews the lease.
    ///
    /// # Errors
    ///
    /// [`crate::BUSY`] while another holder has the lease, or [`crate::NOT_FOUND`].
    pub async fn acquire(&self, identity: &AdkIdentity, options: LeaseOptions) -> Result<Lease> {
        let machine = || format!("{}:{}", env::var("HOSTNAME").unwrap_or_default(), process::id());
        let holder = format!("{}:{}", options.holder.unwrap_or_else(machine), Uuid::new_v4());
        let ttl = format!("{}s", options.ttl.as_secs_f64());
        let acquire = self.action_url(identity, "acquire")?;
        let first = json!({ "holder": holder, "ttl": ttl, "exclusive": options.exclusive });
        let first = self.http.post(acquire.clone()).json(&first);
        let keeper = Keeper {
            renew: self.http.post(acquire).json(&json!({ "ttl": ttl })),
            release: self.http.post(self.action_url(identity, "release")?),
            client: self.client(identity.user_id.as_str()),
            pause: options.ttl / 3,
        };
        let (turn, over) = oneshot::channel();
        let (lose, lost) = watch::channel(false);
        let (grant, granted) = oneshot::channel();
        // A separate task: the request completes even if the caller stops waiting, and the lease is released then.
        let released = tokio::spawn(keeper.keep(first, grant, lose, over));
        let number = granted.await.map_err(invalid)??;
        Ok(Lease { holder, held: Held::of(self, identity, number), lost, turn, released })
    }

    /// Returns the request of an append, under the lease of the session if there is one.
    pub(crate) fn appending(&self, identity: &AdkIdentity, url: Url) -> RequestBuilder {
        match self.leases.lock().expect("nothing panics that holds it").get(identity) {
            Some(number) => self.http.post(url).header(LEASE, *number),
            None => self.http.post(url),
        }
    }
}

/// Registers a lease for the appends to a session until it is dropped.
#[derive(Debug)]
struct Held {
    leases: Leases,
    identity: AdkIdentity,
    number: u64,
}

impl Held {
    fn of(service: &AgentSessionService, identity: &AdkIdentity, number: u64) -> Self {
        let (leases, identity) = (service.leases.clone(), identity.clone());
        leases.lock().expect("nothing panics that holds it").insert(identity.clone(), number);
        Self { leases, identity, number }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let mut leases = self.leases.lock().expect("nothing panics that holds it");
        leases.retain(|identity, number| *identity != self.identity || *number != self.number);
    }
}

/// Renews a lease while a turn lasts, and then releases it.
struct Keeper {
    renew: RequestBuilder,
    release: RequestBuilder,
    client: Client,
    pause: Duration,
}

impl Keeper {
    async fn keep(
        self,
        first: RequestBuilder,
        grant: oneshot::Sender<Result<u64>>,
        lose: watch::Sender<bool>,
        over: oneshot::Receiver<()>,
    ) -> Result<()> {
        let number = match self.client.send(first).await {
            Ok((_, granted)) => granted["lease"].as_u64().unwrap_or_default(),
            Err(error) => {
                let _ = grant.send(Err(error));
                return Ok(());
            }
        };
        let _ = grant.send(Ok(number));
        select(pin!(self.renew(number, lose)), over).await;
        let release = self.client.send(self.release.header(LEASE, number));
        timeout(LONGEST_RELEASE, release).await.map_err(invalid)?.map(drop)
    }

    /// Renews the lease until it is lost or the future is dropped.
    async fn renew(&self, number: u64, lose: watch::Sender<bool>) {
        loop {
            sleep(self.pause).await;
            let Some(renewal) = self.renew.try_clone() else { continue };
            let renewal = self.client.send(renewal.header(LEASE, number));
            // After any other error, the service may recover before the lease expires.
            if let Ok(Err(error)) = timeout(self.pause, renewal).await
                && [LEASE_LOST, NOT_FOUND].contains(&error.code)
            {
                let _ = lose.send(true);
                return pending().await;
            }
        }
    }
}
