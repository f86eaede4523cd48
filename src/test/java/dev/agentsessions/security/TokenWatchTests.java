package dev.agentsessions.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Date;

import org.junit.jupiter.api.Test;

import dev.agentsessions.support.EventSource;

/** A watch lasts no longer than what let it in. */
class TokenWatchTests extends SecuredServiceTest {

	private static final String SESSION = "/apps/shop/users/ann/sessions/watched";

	private static final String WATCH = SESSION + "/events:watch";

	@Test
	void watchEndsWhenTokenExpires() {
		call("POST", SESSION).bearer(Tokens.of("ann")).send();
		Date soon = Date.from(Instant.now().plusSeconds(3));
		String token = Tokens.sign(Tokens.claims("ann").expirationTime(soon));
		try (EventSource watch = EventSource.open(port(), WATCH, "Authorization", "Bearer " + token);
				EventSource other = EventSource.open(port(), WATCH, "x-goog-api-key", Keys.READER.key())) {
			EventSource.Message end = watch.next();
			assertThat(end.type()).isEqualTo("end");
			assertThat(end.data()).isEqualTo("{\"reason\":\"CREDENTIALS_EXPIRED\"}");
			assertThat(Instant.now()).isAfterOrEqualTo(soon.toInstant().minusSeconds(1));
			assertThat(watch.next().isEndOfStream()).isTrue();
			call("POST", SESSION + "/events").json("{\"author\":\"a\"}").as(Keys.AGENT).send();
			assertThat(other.next().type()).isEqualTo("message");
		}
	}

	@Test
	void watchIsRefusedLikeEveryOtherRead() {
		call("POST", SESSION).bearer(Tokens.of("ann")).send();
		assertThat(call("GET", WATCH).header("Accept", "text/event-stream").send().body()).contains("UNAUTHENTICATED");
		assertThat(call("GET", WATCH).header("Accept", "text/event-stream").bearer(Tokens.of("bob")).send().body())
			.contains("SESSION_NOT_FOUND");
		assertThat(call("GET", WATCH).header("Accept", "text/event-stream").as(Keys.FOREIGN_APP).send().body())
			.contains("FORBIDDEN");
	}

}
