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

/// The header that names a lease.
const LEASE: &str = "lease";

/// How long at most it takes to give a lease back.
const LONGEST_RELEASE: Duration = Duration::from_secs(10);

/// The numbers of the leases that a service object has.
pub(crate) type Leases = Arc<Mutex<HashMap<AdkIdentity, u64>>>;

/// How the lease of a session is to be.
#[derive(Clone, Debug)]
pub struct LeaseOptions {
    /// Who takes it, for others to see; this machine and process if not provided. Something random is added.
    pub holder: Option<String>,
    /// After how long the lease ends by itself, if this process dies or stops: 1 second to 1 hour, a minute by default.
    /// While the turn lasts, it is renewed after a third of it.
    pub ttl: Duration,
    /// Whether all other appends are refused meanwhile, also those that do not care about leases.
    pub exclusive: bool,
}

impl Default for LeaseOptions {
    fn default() -> Self {
        Self { holder: None, ttl: Duration::from_secs(60), exclusive: false }
    }
}

/// The right to take a turn on a session, which one has at a time. It is renewed until it is dropped, and given back then.
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
    /// The number that is sent with each append, greater than those of all leases of the session before.
    pub fn number(&self) -> u64 {
        self.held.number
    }

    /// Who has it, as others see it.
    pub fn holder(&self) -> &str {
        &self.holder
    }

    /// Waits until the lease is lost, as it is if this process sleeps for longer than it lasts. Nothing more of this turn
    /// is stored then, and somebody else may have begun one.
    pub async fn lost(&self) {
        let _ = self.lost.clone().wait_for(|lost| *lost).await;
    }

    /// Gives the lease back, as dropping it does, and waits until that is done. A lease that is gone is no error.
    ///
    /// # Errors
    ///
    /// If the service cannot be reached; then the lease ends by itself.
    pub async fn release(self) -> Result<()> {
        drop((self.held, self.turn));
        self.released.await.map_err(invalid)?
    }
}

/// One turn at a time.
impl AgentSessionService {
    /// Takes the lease of a session for a turn; do so before the session is read. While it is held, what is appended to
    /// the session through this service object is appended under the lease, and fails with [`LEASE_LOST`] once that is
    /// gone. It is renewed by a task of tokio.
    ///
    /// # Errors
    ///
    /// [`crate::BUSY`] while somebody else has it, or [`crate::NOT_FOUND`].
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
        // A task of its own: what was asked for is answered even if nobody waits any more, and given back then.
        let released = tokio::spawn(keeper.keep(first, grant, lose, over));
        let number = granted.await.map_err(invalid)??;
        Ok(Lease { holder, held: Held::of(self, identity, number), lost, turn, released })
    }

    /// What appends to a session, under the lease if there is one.
    pub(crate) fn appending(&self, identity: &AdkIdentity, url: Url) -> RequestBuilder {
        match self.leases.lock().expect("nothing panics that holds it").get(identity) {
            Some(number) => self.http.post(url).header(LEASE, *number),
            None => self.http.post(url),
        }
    }
}

/// That appends to a session are under a lease.
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

/// What keeps a lease while a turn lasts.
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

    /// Renews the lease again and again.
    async fn renew(&self, number: u64, lose: watch::Sender<bool>) {
        loop {
            sleep(self.pause).await;
            let Some(renewal) = self.renew.try_clone() else { continue };
            let renewal = self.client.send(renewal.header(LEASE, number));
            // After any other error the service may be back before the lease ends.
            if let Ok(Err(error)) = timeout(self.pause, renewal).await
                && [LEASE_LOST, NOT_FOUND].contains(&error.code)
            {
                let _ = lose.send(true);
                return pending().await;
            }
        }
    }
}
