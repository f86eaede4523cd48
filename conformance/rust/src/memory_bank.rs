//! Cases for the memory service of the published adk-memory over the same API.

use crate::{Client, Outcome, event};
use adk_core::{Content, Part};
use adk_memory::{MemoryEntry, MemoryService, SearchRequest, VertexAiMemoryBankService, VertexAiMemoryConfig};
use adk_session::Event;
use google_cloud_auth::credentials::api_key_credentials::Builder;
use serde_json::json;
use std::error::Error;

pub fn memory_bank(url: &str, engine: &str) -> adk_core::Result<VertexAiMemoryBankService> {
    let config = VertexAiMemoryConfig::new("my-project", "local").with_reasoning_engine(engine).with_endpoint(url);
    VertexAiMemoryBankService::with_credentials(config, Builder::new("any-key").build())
}

impl Client {
    pub async fn remembers_a_session_without_doubles(&self) -> Outcome {
        let user = "remembered-rust";
        let id = self.create(user, json!({})).await?.id().to_string();
        self.append(user, &id, said(1, "We stay in Kyoto in May")).await?;
        let entries = self.get(user, &id).await?.events().all().into_iter().map(entry).collect();
        self.memories.add_session(&self.app, user, &id, entries).await?;
        let found = self.search(user, "When do we stay in Kyoto?", None).await?;
        check!(texts(&found) == ["We stay in Kyoto in May"], "{found:?}");
        let stored = self.get(user, &id).await?.events().at(0).unwrap().timestamp;
        check!(found[0].timestamp.timestamp_micros() == stored.timestamp_micros(), "{found:?} not of {stored}");
        self.delete(user, &id).await?;
        let found = self.search(user, "When do we stay in Kyoto?", None).await?;
        check!(found.is_empty(), "found in a deleted session: {found:?}");
        Ok(())
    }

    pub async fn remembers_a_session_that_is_elsewhere(&self) -> Outcome {
        let user = "elsewhere-rust";
        let (tea, cake) = (said(1, "I like green tea"), said(2, "I like cake and tea"));
        for _ in 0..2 {
            self.memories.add_session(&self.app, user, "elsewhere", vec![entry(tea.clone())]).await?;
        }
        self.memories.add_events_to_memory(&self.app, user, &[tea, cake]).await?;
        let found = self.search(user, "Which tea?", None).await?;
        let mut found = texts(&found);
        found.sort();
        check!(found == ["I like cake and tea", "I like green tea"], "{found:?}");
        Ok(())
    }

    /// It asks for ten memories unless the caller sets another limit.
    pub async fn finds_as_many_memories_as_asked(&self) -> Outcome {
        let user = "limited-rust";
        let pots = (0..12).map(|number| entry(said(number, &format!("Owns tea pot {number}")))).collect();
        self.memories.add_session(&self.app, user, "elsewhere", pots).await?;
        for (limit, expected) in [(None, 10), (Some(2), 2), (Some(100), 12)] {
            let found = self.search(user, "Which tea pot?", limit).await?.len();
            check!(found == expected, "{found} instead of {expected}");
        }
        let none = self.search(user, "\"(&|!:* +- 茶", None).await?;
        check!(none.is_empty(), "{none:?}");
        Ok(())
    }

    /// It reads the memories in pages of a hundred.
    pub async fn deletes_all_memories_of_a_user(&self) -> Outcome {
        let user = "deleted-rust";
        let pots = (0..120).map(|number| entry(said(number, &format!("Owns tea pot {number}")))).collect();
        self.memories.add_session(&self.app, user, "elsewhere", pots).await?;
        check!(!self.search(user, "Which tea pot?", None).await?.is_empty(), "nothing to delete");
        self.memories.delete_user(&self.app, user).await?;
        let left = self.search(user, "Which tea pot?", None).await?;
        check!(left.is_empty(), "{left:?}");
        Ok(())
    }

    pub async fn finds_memories_after_a_restart(&self) -> Outcome {
        let found = self.search("elsewhere-rust", "Which cake?", None).await?;
        check!(texts(&found) == ["I like cake and tea"], "{found:?}");
        Ok(())
    }

    async fn search(
        &self, user: &str, query: &str, limit: Option<usize>,
    ) -> Result<Vec<MemoryEntry>, Box<dyn Error>> {
        let request = SearchRequest {
            query: query.into(),
            user_id: user.into(),
            app_name: self.app.clone(),
            limit,
            min_score: None,
            project_id: None,
        };
        Ok(self.memories.search(request).await?.memories)
    }
}

fn said(number: i64, text: &str) -> Event {
    let mut event = event(number, json!({}));
    event.llm_response.content = Some(Content::new("user").with_text(text));
    event
}

fn entry(event: Event) -> MemoryEntry {
    MemoryEntry { content: event.llm_response.content.unwrap(), author: event.author, timestamp: event.timestamp }
}

fn texts(found: &[MemoryEntry]) -> Vec<&str> {
    found
        .iter()
        .flat_map(|entry| &entry.content.parts)
        .filter_map(|part| if let Part::Text { text } = part { Some(text.as_str()) } else { None })
        .collect()
}
