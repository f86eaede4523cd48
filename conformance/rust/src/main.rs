//! Uses the session service of the published adk-session, and the memory service of the published adk-memory, against a
//! running service.
//!
//! Usage: conformance before|after, where the service is restarted in between.

use adk_core::{AdkIdentity, AppName, Content, FunctionResponseData, Part, SessionId, UserId};
use adk_memory::VertexAiMemoryBankService;
use adk_session::{
    AppendEventRequest, CreateRequest, DeleteRequest, Event, GetRequest, ListRequest, Session,
    SessionService, VertexAiSessionService,
};
use agent_sessions_conformance::{agent_sessions, quickstart};
use chrono::{DateTime, Duration, Utc};
use memory_bank::memory_bank;
use serde_json::{Value, json};
use std::{collections::HashMap, env, error::Error, process::ExitCode};

const ODD_USER: &str = "u \"1\" é&+";
const PIXEL: [u8; 9] = [1, 2, 3, 4, 255, 254, 253, 62, 63];

type Outcome = Result<(), Box<dyn Error>>;

macro_rules! check {
    ($condition:expr, $($message:tt)+) => {
        if !$condition {
            return Err(format!($($message)+).into());
        }
    };
}

mod memory_bank;

struct Client {
    service: VertexAiSessionService,
    memories: VertexAiMemoryBankService,
    app: String,
}

impl Client {
    async fn create(&self, user: &str, state: Value) -> Result<Box<dyn Session>, Box<dyn Error>> {
        let state = serde_json::from_value(state)?;
        let request = CreateRequest { app_name: self.app.clone(), user_id: user.into(), session_id: None, state };
        Ok(self.service.create(request).await?)
    }

    async fn get(&self, user: &str, id: &str) -> adk_core::Result<Box<dyn Session>> {
        self.window(user, id, None, None).await
    }

    async fn window(
        &self, user: &str, id: &str, recent: Option<usize>, after: Option<DateTime<Utc>>,
    ) -> adk_core::Result<Box<dyn Session>> {
        let request = GetRequest {
            app_name: self.app.clone(),
            user_id: user.into(),
            session_id: id.into(),
            num_recent_events: recent,
            after,
        };
        self.service.get(request).await
    }

    async fn append(&self, user: &str, id: &str, event: Event) -> Outcome {
        let identity = AdkIdentity::new(
            AppName::try_from(self.app.as_str())?,
            UserId::try_from(user)?,
            SessionId::try_from(id)?,
        );
        Ok(self.service.append_event_for_identity(AppendEventRequest { identity, event }).await?)
    }

    async fn delete(&self, user: &str, id: &str) -> adk_core::Result<()> {
        let request =
            DeleteRequest { app_name: self.app.clone(), user_id: user.into(), session_id: id.into() };
        self.service.delete(request).await
    }

    async fn list(&self, user: &str) -> Result<Vec<Box<dyn Session>>, Box<dyn Error>> {
        let request =
            ListRequest { app_name: self.app.clone(), user_id: user.into(), limit: None, offset: None };
        Ok(self.service.list(request).await?)
    }

    async fn lifecycle(&self) -> Outcome {
        let session = self.create("lifecycle", json!({"k": 1})).await?;
        let id = session.id();
        check!(self.get("lifecycle", id).await?.state().get("k") == Some(json!(1)), "another state");
        check!(self.list("lifecycle").await?.iter().any(|item| item.id() == id), "not in the list");
        self.delete("lifecycle", id).await?;
        check!(self.get("lifecycle", id).await.is_err(), "still there");
        Ok(())
    }

    async fn whole_event(&self) -> Outcome {
        let id = self.create("alice", json!({})).await?.id().to_string();
        let mut sent = event(1, json!({"a": {"n": [1, 2.5, null]}, "user:u": "x"}));
        sent.llm_response.content = Some(Content {
            role: "model".into(),
            parts: vec![
                Part::Text { text: "look".into() },
                Part::InlineData {
                    mime_type: "image/png".into(), data: PIXEL.to_vec(), uri: None, annotations: None,
                },
                Part::FunctionCall {
                    name: "f_g".into(), args: json!({"some_key": null}), id: Some("c1".into()), thought_signature: None,
                },
            ],
        });
        sent.branch = "a.b".into();
        sent.long_running_tool_ids = vec!["c1".into()];
        sent.llm_response.turn_complete = true;
        sent.llm_response.error_code = Some("E".into());
        sent.actions.transfer_to_agent = Some("other".into());
        sent.actions.artifact_delta.insert("a.txt".into(), 3);
        let mut answer = event(2, json!({}));
        answer.llm_response.content = Some(Content {
            role: "function".into(),
            parts: vec![Part::FunctionResponse {
                function_response: FunctionResponseData::new("f_g", json!({"some_key": 1})),
                id: Some("c1".into()),
                annotations: None,
            }],
        });
        for item in [&sent, &answer] {
            self.append("alice", &id, item.clone()).await?;
        }
        let stored = self.get("alice", &id).await?;
        for (number, item) in [sent, answer].iter().enumerate() {
            let (expected, actual) =
                (serde_json::to_value(item)?, serde_json::to_value(stored.events().at(number).unwrap())?);
            check!(expected == actual, "{actual} is not {expected}");
        }
        Ok(())
    }

    async fn many_events(&self) -> Outcome {
        let id = self.create("alice", json!({})).await?.id().to_string();
        for number in 0..250 {
            self.append("alice", &id, event(number, json!({}))).await?;
        }
        let numbers = |session: Box<dyn Session>| -> Vec<String> {
            session.events().all().into_iter().map(|event| event.invocation_id).collect()
        };
        let expected: Vec<String> = (0..250).map(|number| format!("i-{number}")).collect();
        check!(numbers(self.get("alice", &id).await?) == expected, "other events");
        let recent = numbers(self.window("alice", &id, Some(3), None).await?);
        check!(recent == expected[247..], "{recent:?}");
        let after = numbers(self.window("alice", &id, None, Some(time(248))).await?);
        check!(after == expected[248..], "{after:?}");
        Ok(())
    }

    async fn shared_state(&self) -> Outcome {
        let first = self.create("sharing-rust", json!({})).await?.id().to_string();
        let second = self.create("sharing-rust", json!({})).await?.id().to_string();
        let delta = json!({"app:r": 1, "user:u": 2, "own": 3, "temp:t": 4});
        self.append("sharing-rust", &first, event(1, delta)).await?;
        let state = self.get("sharing-rust", &second).await?.state().all();
        check!(state.get("app:r") == Some(&json!(1)) && state.get("user:u") == Some(&json!(2)), "{state:?}");
        check!(!state.contains_key("own") && !state.contains_key("temp:t"), "{state:?}");
        Ok(())
    }

    async fn removed_key(&self) -> Outcome {
        let id = self.create("alice", json!({"k": 1, "user:gone": 1})).await?.id().to_string();
        let delta = json!({"k": null, "user:gone": "__ADK_SENTINEL_REMOVED__", "kept": {"n": null}});
        self.append("alice", &id, event(1, delta.clone())).await?;
        let stored = self.get("alice", &id).await?;
        let state = stored.state().all();
        check!(state.get("k") == Some(&json!(null)) && !state.contains_key("user:gone"), "{state:?}");
        check!(json!(stored.events().at(0).unwrap().actions.state_delta) == delta, "another delta");
        Ok(())
    }

    async fn odd_user(&self) -> Outcome {
        let id = self.create(ODD_USER, json!({})).await?.id().to_string();
        check!(self.get(ODD_USER, &id).await?.user_id() == ODD_USER, "another user");
        check!(self.list(ODD_USER).await?.iter().any(|item| item.id() == id), "not in the list");
        Ok(())
    }

    async fn wrong_user(&self) -> Outcome {
        let id = self.create("alice", json!({})).await?.id().to_string();
        check!(self.get("mallory", &id).await.is_err(), "not hidden");
        check!(self.delete("mallory", &id).await.is_err(), "deleted");
        self.get("alice", &id).await?;
        Ok(())
    }

    async fn missing(&self) -> Outcome {
        check!(self.get("alice", "none").await.is_err(), "found");
        check!(self.delete("alice", "none").await.is_err(), "deleted");
        let id = self.create("alice", json!({})).await?.id().to_string();
        self.delete("alice", &id).await?;
        check!(self.append("alice", &id, event(1, json!({}))).await.is_err(), "appended to nothing");
        Ok(())
    }

    async fn documentation(&self) -> Outcome {
        Ok(quickstart().await?)
    }

    async fn leave_something(&self) -> Outcome {
        let id = self.create("shared", json!({})).await?.id().to_string();
        let mut left = event(1, json!({"app:from-rust": "r", "user:from-rust": "r"}));
        left.llm_response.content = Some(Content {
            role: "user".into(),
            parts: vec![
                Part::Text { text: "from rust".into() },
                Part::InlineData {
                    mime_type: "image/png".into(), data: PIXEL.to_vec(), uri: None, annotations: None,
                },
            ],
        });
        self.append("shared", &id, left).await?;
        // The id of a tool call makes the client keep the content in a form of its own.
        let mut call = event(2, json!({}));
        call.llm_response.content = Some(Content {
            role: "model".into(),
            parts: vec![Part::FunctionCall {
                name: "rust_tool".into(), args: json!({"k": 1}), id: Some("c1".into()), thought_signature: None,
            }],
        });
        self.append("shared", &id, call).await
    }

    async fn read_others(&self) -> Outcome {
        let languages = env::var("CONFORMANCE_LANGUAGES")?;
        let mut texts = Vec::new();
        let mut images = 0;
        for item in self.list("shared").await? {
            let session = self.get("shared", item.id()).await?;
            for language in languages.split(' ') {
                for scope in ["app", "user"] {
                    let value = session.state().get(&format!("{scope}:from-{language}"));
                    check!(value == Some(json!(language[..1])), "{scope} {language}: {value:?}");
                }
            }
            for part in session.events().all().into_iter().filter_map(|e| e.llm_response.content).flat_map(|c| c.parts) {
                match part {
                    Part::Text { text } => texts.push(text),
                    Part::InlineData { data, .. } => {
                        check!(data == PIXEL, "another image");
                        images += 1;
                    }
                    _ => {}
                }
            }
        }
        for language in languages.split(' ') {
            check!(texts.contains(&format!("from {language}")), "nothing from {language}");
        }
        check!(images > 0, "no image");
        Ok(())
    }
}

fn time(number: i64) -> DateTime<Utc> {
    "2026-01-01T00:00:00.123456789Z".parse::<DateTime<Utc>>().unwrap() + Duration::seconds(number)
}

fn event(number: i64, delta: Value) -> Event {
    let mut event = Event::new(format!("i-{number}"));
    event.author = "user".into();
    event.timestamp = time(number);
    event.llm_response.content = Some(Content::new("user").with_text(format!("message {number}")));
    event.actions.state_delta = serde_json::from_value::<HashMap<String, Value>>(delta).unwrap();
    event
}

#[tokio::main]
async fn main() -> ExitCode {
    let engine = env::var("CONFORMANCE_ENGINE").unwrap();
    let url = env::var("AGENT_SESSIONS_URL").unwrap();
    // The sessions of the other languages do not carry this client's mark.
    let service = agent_sessions(&url, &engine).unwrap().allow_unmarked_sessions_for_app(&engine);
    let memories = memory_bank(&url, &engine).unwrap();
    let client = Client { service, memories, app: engine };
    let phase = env::args().nth(1).unwrap_or_default();
    let (mut passed, mut failed) = (0, 0);
    macro_rules! cases {
        ($($case:ident),+) => {
            $(match client.$case().await {
                Ok(()) => passed += 1,
                Err(error) => {
                    failed += 1;
                    println!("FAILED rust: {}: {error}", stringify!($case));
                }
            })+
        };
    }
    if phase == "before" {
        cases!(
            lifecycle, whole_event, many_events, shared_state, removed_key, odd_user, wrong_user, missing,
            documentation, remembers_a_session_without_doubles, remembers_a_session_that_is_elsewhere,
            finds_as_many_memories_as_asked, deletes_all_memories_of_a_user, leave_something
        );
    } else {
        cases!(finds_memories_after_a_restart, read_others);
    }
    println!("rust adk-session and adk-memory 2.3.0 ({phase}): {passed} passed, {failed} failed");
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
