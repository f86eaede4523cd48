package dev.agentsessions.session.heap;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;

/**
 * What others can do while large reads, such as a list of large states, have all of their
 * memory.
 */
@HttpTest
class LargeReadsTests {

	private static final String SESSIONS = "/apps/large-reads/users/u/sessions";

	/** A state of 300 KB. */
	private static final String STATE = "{\"state\": {\"k\": \"" + "x".repeat(300_000) + "\"}}";

	private final Http http;

	private final ResponseHeap memory;

	LargeReadsTests(Http http, ResponseHeap memory) {
		this.http = http;
		this.memory = memory;
	}

	@BeforeEach
	void readAsMuchAsPossible() {
		this.memory.begin();
		this.memory.take(Long.MAX_VALUE / 2);
	}

	@AfterEach
	void end() {
		this.memory.end();
	}

	@Test
	void othersCreateReadAndListSessions() {
		this.http.post(SESSIONS + "/s", STATE).ok();
		assertThat(Stream.of("/s", "/s?view=context", "?includeState=true", "/s/events", "/s?atSeq=0"))
			.allSatisfy((read) -> this.http.get(SESSIONS + read).ok());
		this.http.patch(SESSIONS + "/s", "{\"stateDelta\": {\"user:k\": \"" + "x".repeat(300_000) + "\"}}").ok();
		this.http.post(SESSIONS, STATE).ok();
	}

}
