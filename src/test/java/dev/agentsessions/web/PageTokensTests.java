package dev.agentsessions.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import dev.agentsessions.session.Page;
import dev.agentsessions.session.SecretStore;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.contract.OpenAccessPolicy;
import dev.agentsessions.web.PageTokens.PageTokenProperties;

/** What a page token is good for. */
class PageTokensTests {

	private static final String LIST = "sessions";

	private static final List<Query> QUERY = List.of(new Query("shop", "ann", null, 10));

	private static final String KEY = "a secret of thirty-two bytes, or more";

	private final List<String> asked = new ArrayList<>();

	private final SecretStore secrets = (name) -> {
		this.asked.add(name);
		return "one that is kept in the database".getBytes();
	};

	@Test
	void pageTokenReturnsItsPosition() {
		String token = tokens(null, "ann").issue(LIST, QUERY, "ann", "2026-01-01T00:00:00Z", "");
		assertThat(tokens(null, "ann").position(token, LIST, QUERY)).containsExactly("ann", "2026-01-01T00:00:00Z", "");
		assertThat(token).matches("[A-Za-z0-9_-]+");
	}

	@Test
	void pageTokenIsValidOnReplicasWithSameKey() {
		String token = tokens(KEY, "ann").issue(LIST, QUERY, "1");
		assertThat(tokens(KEY, "ann").position(token, LIST, QUERY)).containsExactly("1");
		assertThat(this.asked).isEmpty();
		refuses(tokens(null, "ann"), token, QUERY);
		refuses(tokens(KEY + "!", "ann"), token, QUERY);
		assertThat(this.asked).containsExactly("page-token-key");
	}

	@Test
	void pageTokenBelongsToOneCallerAndQuery() {
		PageTokens tokens = tokens(KEY, "ann");
		String token = tokens.issue(LIST, QUERY, "1");
		refuses(tokens(KEY, "bob"), token, QUERY);
		refuses(tokens, token, List.of(new Query("shop", "bob", null, 10)));
		refuses(tokens, token, List.of(new Query("shop\",\"userId\":\"ann", null, null, 10)));
		refuses(tokens, token, List.of(QUERY.get(0), QUERY.get(0)));
		refuses(tokens, tokens.issue(LIST, QUERY, "1", "2"), List.of(new Query("shop", "ann\n1", null, 10)));
		assertThatExceptionOfType(SessionException.InvalidArgument.class)
			.isThrownBy(() -> tokens.position(token, "users", QUERY));
	}

	@Test
	void pageTokenIsValidForPagesOfAnySizeAnywhere() {
		PageTokens tokens = tokens(KEY, "ann");
		String token = tokens.issue(LIST, QUERY, "1");
		assertThat(tokens.position(token, LIST, List.of(new Query("shop", "ann", "1", 20)))).containsExactly("1");
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

	private static void refuses(PageTokens tokens, String token, List<Query> query) {
		assertThatExceptionOfType(SessionException.InvalidArgument.class)
			.isThrownBy(() -> tokens.position(token, LIST, query))
			.withMessageStartingWith("pageToken must be one that the service has given to you");
	}

	private record Query(String appName, @Nullable String userId, @Page.Only @Nullable String after,
			@Page.Only int limit) {

	}

}
