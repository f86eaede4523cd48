package dev.agentsessions.vertex.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.test.context.TestPropertySource;

import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;
import dev.agentsessions.vertex.VertexApi;

/** Memories of an app that is not searched. */
@HttpTest
@TestPropertySource(properties = "agent-sessions.search.apps=")
class MemoryBankWithoutSearchTests {

	private final MemoryBank bank;

	MemoryBankWithoutSearchTests(Http http) {
		this.bank = new MemoryBank(http);
	}

	@Test
	void storesMemoriesAndRefusesToSearch() {
		this.bank.create("m1", "'fact': 'likes tea'").ok();
		assertThat(MemoryBank.facts(this.bank.act("retrieve", ""))).containsExactly("likes tea");
		assertThat(VertexApi
			.error(this.bank.act("retrieve", "'similaritySearchParams': {'searchQuery': 'tea?'}"), 400,
					"INVALID_ARGUMENT")
			.text("/error/message")).contains("agent-sessions.search.apps");
		VertexApi.error(
				this.bank.act("ingestEvents",
						"'directContentsSource': {'events': [{'content': {'parts': [{'text': 'x'}]}}]}"),
				400, "INVALID_ARGUMENT");
	}

}
