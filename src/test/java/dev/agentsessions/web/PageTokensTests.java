package dev.agentsessions.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import dev.agentsessions.session.SecretStore;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.contract.OpenAccessPolicy;

/** What a page token is good for. */
class PageTokensTests {

	private static final List<String> QUERY = List.of("sessions", "shop", "ann");

	private static final String KEY = "a secret of thirty-two bytes, or more";

	private final List<String> asked = new ArrayList<>();

	private final SecretStore secrets = (name) -> {
		this.asked.add(name);
		return "one that is kept in the database".getBytes();
	};

	@Test
	void pageTokenReturnsItsPosition() {
		String token = tokens(null, "ann").issue(QUERY, "ann", "2026-01-01T00:00:00Z", "");
		assertThat(tokens(null, "ann").position(token, QUERY)).containsExactly("ann", "2026-01-01T00:00:00Z", "");
		assertThat(token).matches("[A-Za-z0-9_-]+");
	}

	@Test
	void pageTokenIsValidOnReplicasWithSameKey() {
		String token = tokens(KEY, "ann").issue(QUERY, "1");
		assertThat(tokens(KEY, "ann").position(token, QUERY)).containsExactly("1");
		assertThat(this.asked).isEmpty();
		refuses(tokens(null, "ann"), token, QUERY);
		refuses(tokens(KEY + "!", "ann"), token, QUERY);
		assertThat(this.asked).containsExactly("page-token-key");
	}

	@Test
	void pageTokenBelongsToOneCallerAndQuery() {
		PageTokens tokens = tokens(KEY, "ann");
		String token = tokens.issue(QUERY, "1");
		refuses(tokens(KEY, "bob"), token, QUERY);
		refuses(tokens, token, List.of("sessions", "shop", "bob"));
		refuses(tokens, token, List.of("sessions", "shop, ann"));
		refuses(tokens, token, List.of("sessions", "shop", "ann", ""));
		refuses(tokens, tokens.issue(QUERY, "1", "2"), List.of("sessions", "shop", "ann\n1"));
	}

	@Test
	void textThatIsNoPageTokenIsRefused() {
		PageTokens tokens = tokens(KEY, "ann");
		for (String text : List.of("", "x", "!", "====", "A".repeat(43), "A".repeat(100_000), "\u0000", "\ud800")) {
			refuses(tokens, text, QUERY);
		}
	}

	@Test
	void settingsDoNotShowTheKey() {
		assertThat(new PageTokenProperties(KEY).toString()).doesNotContain(KEY);
	}

	private PageTokens tokens(@Nullable String key, String caller) {
		return new PageTokens(new PageTokenProperties(key), this.secrets, new OpenAccessPolicy(caller));
	}

	private static void refuses(PageTokens tokens, String token, List<String> query) {
		assertThatExceptionOfType(SessionException.InvalidArgument.class)
			.isThrownBy(() -> tokens.position(token, query))
			.withMessageStartingWith("pageToken must be one that the service has given to you");
	}

}
