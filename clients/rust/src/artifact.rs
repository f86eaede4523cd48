// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

use std::{sync::Arc, sync::atomic::AtomicBool, time::Duration};

use adk_artifact::{
    ArtifactService, DeleteRequest, ListRequest, ListResponse, LoadRequest, LoadResponse, SaveRequest, SaveResponse,
    VersionsRequest, VersionsResponse,
};
use adk_core::{AdkError, ErrorCategory, ErrorComponent, Part, Result, async_trait};
use adk_session::KEY_PREFIX_USER;
use reqwest::{Method, RequestBuilder, Url, header::CONTENT_TYPE};
use serde_json::{Value, from_value, json};

use crate::client::{ALREADY_EXISTS, ARTIFACT_NOT_FOUND, Client, NOT_FOUND, Token, invalid, repeatable};
use crate::reach::{self, Reach};
use crate::{service::AgentSessionService, wire};

/// An [`ArtifactService`] over HTTP. Its versions begin with 0, as the `artifact_delta` of events of all languages has
/// them. Any number of tasks may use it at the same time.
pub struct AgentSessionArtifactService {
    /// The HTTP client: its connection pool, TLS, and the time-out of one attempt. The default time-out is 30 seconds.
    pub http: reqwest::Client,
    /// Returns the token of a user. The default is the key in `AGENT_SESSIONS_API_KEY` for all users.
    pub token: Token,
    /// How long the client retries a request while it cannot connect; the default is 30 seconds.
    pub unavailable_timeout: Duration,
    address: Url,
    away: Arc<AtomicBool>,
}

/// The names of an app, a user and a session.
struct Owner<'a>(&'a str, &'a str, &'a str);

impl AgentSessionArtifactService {
    /// Returns the service at an address. An empty address means `AGENT_SESSIONS_URL`, or else `http://localhost:8080`.
    ///
    /// # Errors
    ///
    /// If the address does not begin with `http://` or `https://`, or TLS cannot be set up.
    pub fn new(address: &str) -> Result<Self> {
        let AgentSessionService { http, token, unavailable_timeout, address, away, .. } =
            AgentSessionService::new(address)?;
        Ok(Self { http, token, unavailable_timeout, address, away })
    }

    /// Returns a request about the artifacts of a session, or about the names of its user that begin with `user:`.
    fn request(&self, method: Method, of: &Owner, name: Option<&str>, below: &[&str]) -> Result<RequestBuilder> {
        let Owner(app, user, session) = of;
        let of_user = name.is_some_and(|name| name.starts_with(KEY_PREFIX_USER));
        let owner: &[&str] = if of_user { &[] } else { &["sessions", session] };
        let names = [&["apps", app, "users", user], owner, &["artifacts"], name.as_slice(), below].concat();
        Ok(self.http.request(method, reach::url(&self.address, &names)?))
    }

    async fn send(&self, of: &Owner<'_>, request: RequestBuilder) -> Result<Value> {
        let (address, away) = (self.address.clone(), self.away.clone());
        let reach = Reach { address, unavailable_timeout: self.unavailable_timeout, away };
        let client = Client { user: of.1.into(), token: self.token.clone(), reach };
        client.send(request).await.map(|(_, body)| body).map_err(|mut error| {
            error.component = ErrorComponent::Artifact;
            error
        })
    }

    fn saving(&self, of: &Owner, name: &str, part: &Part) -> Result<RequestBuilder> {
        let put = || self.request(Method::PUT, of, Some(name), &[]);
        Ok(match part {
            Part::InlineData { mime_type, data, .. } => put()?.header(CONTENT_TYPE, mime_type).body(data.clone()),
            Part::Text { text } => put()?.query(&[("part", "text")]).body(text.clone()),
            Part::FileData { .. } => {
                let body = json!({ "filename": name, "artifact": wire::written_part(part) });
                self.request(Method::POST, of, None, &[])?.json(&body)
            }
            _ => return Err(invalid("an artifact is bytes, a text or a reference to a file")),
        })
    }

    async fn create(&self, of: &Owner<'_>) -> Result<()> {
        let url = reach::url(&self.address, &["apps", of.0, "users", of.1, "sessions"])?;
        match self.send(of, repeatable(self.http.post(url)).json(&json!({ "sessionId": of.2 }))).await {
            Err(error) if error.code != ALREADY_EXISTS => Err(error),
            _ => Ok(()),
        }
    }
}

#[async_trait]
impl ArtifactService for AgentSessionArtifactService {
    /// Stores bytes, a text or a reference as the next version. Creates the session if it does not exist. The service
    /// numbers versions, so a request with a version fails. A retry after a lost response stores nothing twice.
    async fn save(&self, req: SaveRequest) -> Result<SaveResponse> {
        if req.version.is_some() {
            return Err(invalid("the service numbers the versions of artifacts: leave the version out"));
        }
        let of = Owner(&req.app_name, &req.user_id, &req.session_id);
        let saving = repeatable(self.saving(&of, &req.file_name, &req.part)?);
        let again = saving.try_clone();
        let saved = match (self.send(&of, saving).await, again) {
            (Err(error), Some(again)) if error.code == NOT_FOUND => {
                self.create(&of).await?;
                self.send(&of, again).await?
            }
            (answer, _) => answer?,
        };
        Ok(SaveResponse { version: saved["version"].as_i64().unwrap_or_default() })
    }

    /// Loads a version, or the newest one. Fails with [`crate::ARTIFACT_NOT_FOUND`] if it does not exist.
    async fn load(&self, req: LoadRequest) -> Result<LoadResponse> {
        let of = Owner(&req.app_name, &req.user_id, &req.session_id);
        if !may_exist(req.version) {
            return Err(absent_artifact(&req.file_name));
        }
        let version = req.version.map_or("latest".into(), |version| version.to_string());
        let path = ["versions", version.as_str()];
        let part =
            self.send(&of, self.request(Method::GET, &of, Some(&req.file_name), &path)?).await.map_err(absent)?;
        let part =
            wire::read_part(&part).ok_or_else(|| invalid("the artifact is of a kind that Rust does not have"))?;
        Ok(LoadResponse { part })
    }

    /// Deletes a version, or all versions. Succeeds if there is none.
    async fn delete(&self, req: DeleteRequest) -> Result<()> {
        let of = Owner(&req.app_name, &req.user_id, &req.session_id);
        if !may_exist(req.version) {
            return Ok(());
        }
        let version = req.version.map(|version| version.to_string());
        let path: &[&str] = &version.as_deref().map_or(vec![], |version| vec!["versions", version]);
        match self.send(&of, self.request(Method::DELETE, &of, Some(&req.file_name), path)?).await.map_err(absent) {
            Err(error) if error.code != ARTIFACT_NOT_FOUND => Err(error),
            _ => Ok(()),
        }
    }

    /// Lists the names of the artifacts of the session and of its user, sorted.
    async fn list(&self, req: ListRequest) -> Result<ListResponse> {
        let of = Owner(&req.app_name, &req.user_id, &req.session_id);
        let names = match self.send(&of, self.request(Method::GET, &of, None, &[])?).await {
            Err(error) if error.code == NOT_FOUND => {
                let url = reach::url(&self.address, &["apps", of.0, "users", of.1, "artifacts"])?;
                self.send(&of, self.http.get(url)).await?
            }
            answer => answer?,
        };
        Ok(ListResponse { file_names: from_value(names).map_err(invalid)? })
    }

    /// Lists the versions, the newest first. Fails with [`crate::ARTIFACT_NOT_FOUND`] if there is none.
    async fn versions(&self, req: VersionsRequest) -> Result<VersionsResponse> {
        let of = Owner(&req.app_name, &req.user_id, &req.session_id);
        let request = self.request(Method::GET, &of, Some(&req.file_name), &["versions"])?;
        let mut versions: Vec<i64> = from_value(self.send(&of, request).await.map_err(absent)?).map_err(invalid)?;
        if versions.is_empty() {
            return Err(absent_artifact(&req.file_name));
        }
        versions.reverse();
        Ok(VersionsResponse { versions })
    }
}

/// Whether an artifact may have the version. The service refuses a request for another number.
fn may_exist(version: Option<i64>) -> bool {
    version.is_none_or(|version| (0..=i64::from(i32::MAX)).contains(&version))
}

/// Without its session, an artifact does not exist either.
fn absent(mut error: AdkError) -> AdkError {
    if error.code == NOT_FOUND {
        error.code = ARTIFACT_NOT_FOUND;
    }
    error
}

fn absent_artifact(name: &str) -> AdkError {
    AdkError::new(
        ErrorComponent::Artifact,
        ErrorCategory::NotFound,
        ARTIFACT_NOT_FOUND,
        format!("artifact not found: {name:?}"),
    )
}
