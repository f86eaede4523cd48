// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.client;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

import com.google.adk.events.Event;
import com.google.adk.events.EventActions;
import com.google.adk.sessions.Session;
import com.google.genai.types.Content;
import com.google.genai.types.FunctionCall;
import com.google.genai.types.Part;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * Tests concurrent writers in several languages that count in one session: no append is
 * lost, a stale writer gets an error, and each writer reads the events of the others.
 */
@EnabledIfEnvironmentVariable(named = "CONFORMANCE_WRITERS", matches = ".+")
class WritersTests {

	private static final byte[] IMAGE = { 1, -1, -2, 62, 63 };

	private final AgentSessionService service = new AgentSessionService();

	private final List<String> writers = List.of(String.valueOf(System.getenv("CONFORMANCE_WRITERS")).split(" "));

	@Test
	void countsWithOtherLanguages() throws Exception {
		Session session = read();
		int stale = 0;
		meet("read", ""); // all writers read first, so only one of the first appends succeeds
		for (int number = 0; number < 10;) {
			try {
				this.service.appendEvent(session, next(session)).blockingGet();
				number++;
			}
			catch (StaleSessionException ex) {
				stale++;
			}
			session = read();
		}
		meet("stale", "stale " + stale);
		Session all = read();
		assertEquals(10 * this.writers.size(), ((Number) all.state().get("count")).intValue());
		assertEquals(10 * this.writers.size(), all.events().size());
		for (Event event : all.events()) {
			assertArrayEquals(IMAGE, event.content().get().parts().get().get(0).inlineData().get().data().get());
		}
		for (String writer : this.writers) {
			assertEquals(10, all.events().stream().filter((event) -> by(event).equals(writer)).count(), writer);
		}
	}

	private Session read() {
		return this.service.getSession("writers", "alice", "shared", Optional.empty()).blockingGet();
	}

	private static Event next(Session session) {
		int count = ((Number) session.state().get("count")).intValue() + 1;
		FunctionCall call = FunctionCall.builder().id("c1").name("count").args(Map.of("by", "java")).build();
		Part image = Part.fromBytes(IMAGE, "image/png");
		return Event.builder()
			.author("model")
			.content(Content.builder().role("model").parts(image, Part.builder().functionCall(call).build()).build())
			.actions(EventActions.builder().stateDelta(new ConcurrentHashMap<>(Map.of("count", count))).build())
			.build();
	}

	private static Object by(Event event) {
		return event.functionCalls().get(0).args().get().get("by");
	}

	/**
	 * Waits until all writers reach the same step; the script reads the text in the
	 * files.
	 */
	private void meet(String place, String text) throws IOException, InterruptedException {
		Path folder = Path.of(System.getenv("CONFORMANCE_MEETING"));
		Files.writeString(folder.resolve("java." + place), text);
		for (String writer : this.writers) {
			while (!Files.exists(folder.resolve(writer + "." + place))) {
				Thread.sleep(20);
			}
		}
	}

}
