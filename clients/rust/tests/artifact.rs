// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

//! The artifact service, against a running service; where it must behave as ADK's own one, this runs as well.

mod common;

use adk_artifact::{
    ArtifactService, DeleteRequest, InMemoryArtifactService, ListRequest, LoadRequest, SaveRequest, VersionsRequest,
};
use adk_core::{AdkError, Part};
use adk_session::SessionService;
use agent_sessions_adk::{ARTIFACT_NOT_FOUND, AgentSessionArtifactService};
use common::{Outcome, call, create_with, event, get, service};
use futures::future::try_join_all;
use serde_json::json;
use uuid::Uuid;

/// The artifacts of one user in one session, which does not exist before the first save.
struct Files<'a> {
    service: &'a dyn ArtifactService,
    app: String,
    session: &'a str,
}

impl Files<'_> {
    async fn save(&self, name: &str, part: Part) -> Result<i64, AdkError> {
        let (app_name, user_id, session_id) = (self.app.clone(), "alice".into(), self.session.into());
        let request = SaveRequest { app_name, user_id, session_id, file_name: name.into(), part, version: None };
        Ok(self.service.save(request).await?.version)
    }

    async fn load(&self, name: &str, version: Option<i64>) -> Result<Part, AdkError> {
        let (app_name, user_id, session_id) = (self.app.clone(), "alice".into(), self.session.into());
        let request = LoadRequest { app_name, user_id, session_id, file_name: name.into(), version };
        Ok(self.service.load(request).await?.part)
    }

    async fn delete(&self, name: &str, version: Option<i64>) -> Result<(), AdkError> {
        let (app_name, user_id, session_id) = (self.app.clone(), "alice".into(), self.session.into());
        self.service.delete(DeleteRequest { app_name, user_id, session_id, file_name: name.into(), version }).await
    }

    async fn names(&self) -> Result<Vec<String>, AdkError> {
        let (app_name, user_id, session_id) = (self.app.clone(), "alice".into(), self.session.into());
        Ok(self.service.list(ListRequest { app_name, user_id, session_id }).await?.file_names)
    }

    async fn versions(&self, name: &str) -> Result<Vec<i64>, AdkError> {
        let (app_name, user_id, session_id) = (self.app.clone(), "alice".into(), self.session.into());
        let request = VersionsRequest { app_name, user_id, session_id, file_name: name.into() };
        Ok(self.service.versions(request).await?.versions)
    }
}

fn text(text: &str) -> Part {
    Part::Text { text: text.into() }
}

fn bytes(mime_type: &str, data: &[u8]) -> Part {
    Part::InlineData { mime_type: mime_type.into(), data: data.into(), uri: None, annotations: None }
}

/// What ADK's own service does, with any first number.
async fn keeps_versions_of_names(service: &dyn ArtifactService) -> Outcome {
    let app = format!("rust-{}", Uuid::new_v4());
    let files = Files { service, app: app.clone(), session: "s1" };
    assert!(files.names().await?.is_empty());
    let first = files.save("a.txt", text("one")).await?;
    assert_eq!(files.save("a.txt", text("Grüße 🌍")).await?, first + 1);
    assert_eq!(files.save("b.png", bytes("image/png", &[0, 255, 10, 13])).await?, first);
    assert_eq!(files.save("user:c", bytes("application/x-empty", b"c")).await?, first);

    assert_eq!(files.names().await?, ["a.txt", "b.png", "user:c"]);
    assert_eq!(files.versions("a.txt").await?, [first + 1, first]);
    assert_eq!(files.load("a.txt", None).await?, text("Grüße 🌍"));
    assert_eq!(files.load("a.txt", Some(first)).await?, text("one"));
    assert_eq!(files.load("b.png", Some(first)).await?, bytes("image/png", &[0, 255, 10, 13]));
    let other = Files { service, app: app.clone(), session: "s2" };
    assert_eq!(other.load("user:c", None).await?, bytes("application/x-empty", b"c"));
    assert_eq!(other.names().await?, ["user:c"]);

    files.delete("a.txt", Some(first)).await?;
    assert_eq!(files.versions("a.txt").await?, [first + 1]);
    files.delete("a.txt", None).await?;
    files.delete("never", None).await?;
    assert_eq!(files.names().await?, ["b.png", "user:c"]);
    assert!(files.versions("a.txt").await.is_err());
    for absent in [files.load("a.txt", None).await, files.load("no", None).await] {
        assert!(absent.is_err_and(|error| error.message.contains("not found")));
    }
    for version in [-1, 77, 1 << 31, 1 << 40, i64::MAX, i64::MIN] {
        files.delete("b.png", Some(version)).await?;
        files.delete("user:c", Some(version)).await?;
        for absent in [files.load("b.png", Some(version)).await, files.load("user:c", Some(version)).await] {
            assert!(absent.is_err_and(|error| error.message.contains("not found")), "{version}");
        }
    }
    assert_eq!(files.versions("b.png").await?, [first]);
    assert!(files.save("", text("x")).await.is_err());
    Ok(())
}

#[tokio::test]
async fn keeps_versions_of_names_as_in_memory() -> Outcome {
    keeps_versions_of_names(&InMemoryArtifactService::new()).await
}

#[tokio::test]
async fn keeps_versions_of_names_as_a_service() -> Outcome {
    let Some(_) = service() else { return Ok(()) };
    keeps_versions_of_names(&AgentSessionArtifactService::new("")?).await
}

#[tokio::test]
async fn numbers_versions_from_0_as_other_languages_read_them() -> Outcome {
    let Some((sessions, app)) = service() else { return Ok(()) };
    let artifacts = AgentSessionArtifactService::new("")?;
    let session = create_with(&sessions, &app, "alice", Some("s1"), json!({})).await?;
    let files = Files { service: &artifacts, app: app.clone(), session: "s1" };
    assert_eq!(files.save("a.txt", text("one")).await?, 0);
    let mut saved = event(1, json!({}));
    saved.actions.artifact_delta.insert("a.txt".into(), 0);
    common::append(&sessions, &*session, saved).await?;
    assert_eq!(get(&sessions, &*session).await?.events().all()[0].actions.artifact_delta["a.txt"], 0);
    let path = format!("/apps/{app}/users/alice/sessions/s1/artifacts/a.txt/versions/0");
    assert_eq!(call("GET", &path, None).await?, json!({ "text": "one" }));

    let mut named = SaveRequest {
        app_name: app.clone(),
        user_id: "alice".into(),
        session_id: "s1".into(),
        file_name: "a.txt".into(),
        part: text("two"),
        version: Some(7),
    };
    assert!(artifacts.save(named.clone()).await.is_err());
    named.version = None;
    assert_eq!(artifacts.save(named).await?.version, 1);
    Ok(())
}

#[tokio::test]
async fn keeps_references_and_large_files() -> Outcome {
    let Some((_, app)) = service() else { return Ok(()) };
    let artifacts = AgentSessionArtifactService::new("")?;
    let files = Files { service: &artifacts, app: app.clone(), session: "s1" };
    let large: Vec<u8> = (0..3_000_000_u32).map(|number| (number % 251) as u8).collect();
    files.save("large", bytes("application/octet-stream", &large)).await?;
    assert_eq!(files.load("large", None).await?, bytes("application/octet-stream", &large));
    let file_uri = "gs://bucket/a.pdf".into();
    let reference = Part::FileData { mime_type: "application/pdf".into(), file_uri, annotations: None };
    files.save("elsewhere", reference.clone()).await?;
    assert_eq!(files.load("elsewhere", None).await?, reference);
    Ok(())
}

#[tokio::test]
async fn stores_a_save_once_when_its_answer_is_lost() -> Outcome {
    let (Some((_, app)), Ok(proxy)) = (service(), std::env::var("CONFORMANCE_FAULTS")) else { return Ok(()) };
    let artifacts = AgentSessionArtifactService::new(&proxy)?;
    let spoil = async |faults: &str| call("POST", &format!("{proxy}/faults/{faults}"), None).await;
    let file_uri = "gs://bucket/a.pdf".into();
    let reference = Part::FileData { mime_type: "application/pdf".into(), file_uri, annotations: None };
    for (session, part) in [("s1", bytes("image/png", &[1])), ("s2", text("one")), ("s3", reference)] {
        let files = Files { service: &artifacts, app: app.clone(), session };
        spoil("pass,pass,unanswered").await?; // there is no session, so it is created, then the part is saved
        assert_eq!(files.save("a", part.clone()).await?, 0);
        spoil("unanswered,half-answered").await?;
        assert_eq!(files.save("a", part).await?, 1);
        assert_eq!(files.versions("a").await?, [1, 0]);
    }
    Ok(())
}

#[tokio::test]
async fn gives_each_of_many_savers_a_number_of_its_own() -> Outcome {
    let Some((_, app)) = service() else { return Ok(()) };
    let artifacts = AgentSessionArtifactService::new("")?;
    let files = Files { service: &artifacts, app, session: "s1" };
    let contents: Vec<_> = (0..20).map(|number| format!("content {number}")).collect();
    let mut saved = try_join_all(contents.iter().map(|content| files.save("a", text(content)))).await?;
    for (version, content) in saved.iter().zip(&contents) {
        assert_eq!(files.load("a", Some(*version)).await?, text(content));
    }
    saved.sort();
    assert_eq!(saved, (0..20).collect::<Vec<_>>());
    Ok(())
}

#[tokio::test]
async fn names_what_does_not_exist() -> Outcome {
    let Some((sessions, app)) = service() else { return Ok(()) };
    let artifacts = AgentSessionArtifactService::new("")?;
    let files = Files { service: &artifacts, app: app.clone(), session: "s1" };
    assert!(files.load("a", None).await.is_err_and(|error| error.code == ARTIFACT_NOT_FOUND));
    files.save("a", text("x")).await?;
    assert!(files.load("a", Some(9)).await.is_err_and(|error| error.code == ARTIFACT_NOT_FOUND));
    assert!(files.load("b", None).await.is_err_and(|error| error.code == ARTIFACT_NOT_FOUND));
    let (app_name, user_id, session_id) = (app, "alice".into(), "s1".into());
    sessions.delete(adk_session::DeleteRequest { app_name, user_id, session_id }).await?;
    assert!(files.versions("a").await.is_err_and(|error| error.code == ARTIFACT_NOT_FOUND));
    Ok(())
}
