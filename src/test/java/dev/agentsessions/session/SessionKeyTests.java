package dev.agentsessions.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which names sessions, their apps and their users may have. */
class SessionKeyTests {

	@ParameterizedTest
	@ValueSource(strings = { "a", "user@example.com", "u \"1\" \u00e9&+", "\u4f1a\u8bdd", "\ud83d\ude00", "a:b", "...",
			"a.", "<b>", "' or 1=1 --", "?x=1#y", "a\u00a0b", "-", "0" })
	void mayHaveNamesOfAlmostAnyCharacters(String name) {
		SessionKey key = new SessionKey(name, name, name);
		assertThat(key.appName()).isEqualTo(name);
		assertThat(key.userId()).isEqualTo(name);
		assertThat(key.sessionId()).isEqualTo(name);
	}

	@ParameterizedTest
	@ValueSource(strings = { "users/123", "a\\b", "a;b", "a%b", "a%2Fb", "/", "../x", "x/..", ";", "%" })
	void mayHaveUsersWithTheCharactersOfPaths(String name) {
		assertThat(new SessionKey("app", name, "s1").userId()).isEqualTo(name);
		assertThat(new StateOwner("app", name).userId()).isEqualTo(name);
		assertRefused("appName", () -> new SessionKey(name, "alice", "s1"));
		assertRefused("sessionId", () -> new SessionKey("app", "alice", name));
		assertRefused("appName", () -> new StateOwner(name, null));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "\t", "\u2003", ".", "..", "a\nb", "a\u0000b", "a\u007fb", "a\u0085b", "\ud800",
			"a\udc00" })
	void mayNotHaveNamesThatBreakPathsOrRows(String name) {
		assertRefused("appName", () -> new SessionKey(name, "alice", "s1"));
		assertRefused("userId", () -> new SessionKey("app", name, "s1"));
		assertRefused("sessionId", () -> new SessionKey("app", "alice", name));
		assertRefused("appName", () -> new StateOwner(name, null));
		assertRefused("userId", () -> new StateOwner("app", name));
	}

	@ParameterizedTest
	@ValueSource(strings = { "a", "\u4f1a", "\ud83d\ude00" })
	void haveUpTo512Characters(String character) {
		assertThat(new SessionKey("app", "alice", character.repeat(512)).sessionId()).isEqualTo(character.repeat(512));
		assertRefused("sessionId", () -> new SessionKey("app", "alice", character.repeat(513)));
	}

	@Test
	void refusedNameExplainsTheRule() {
		assertThatExceptionOfType(SessionException.InvalidArgument.class)
			.isThrownBy(() -> new SessionKey("app", "alice", "a".repeat(513)))
			.withMessage("sessionId must have at most 512 characters");
		assertThatExceptionOfType(SessionException.InvalidArgument.class)
			.isThrownBy(() -> new SessionKey("app", "alice", "a/b"))
			.withMessage("sessionId must not contain any of / \\ ; %");
	}

	@ParameterizedTest
	@CsvSource({ "' s1', s1", "'s1 ', s1", "'\ts 1\n', s 1" })
	void loseSpaceAroundTheSessionIdOnly(String sessionId, String stripped) {
		assertThat(new SessionKey("app", " alice ", sessionId)).isEqualTo(new SessionKey("app", " alice ", stripped));
	}

	@Test
	void nameTheOwnersOfSharedState() {
		SessionKey key = new SessionKey("app", "alice", "s1");
		assertThat(key.app()).isEqualTo(new StateOwner("app", null));
		assertThat(key.user()).isEqualTo(new StateOwner("app", "alice"));
	}

	private static void assertRefused(String field, Runnable creation) {
		assertThatExceptionOfType(SessionException.InvalidArgument.class).isThrownBy(creation::run)
			.withMessageStartingWith(field + " ");
	}

}
