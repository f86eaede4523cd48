package dev.agentsessions.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which names sessions, their apps and their users may have. */
class SessionNameTests {

	@ParameterizedTest
	@ValueSource(strings = { "a", "user@example.com", "u \"1\" \u00e9&+", "\u4f1a\u8bdd", "\ud83d\ude00", "a:b", "...",
			"a.", "<b>", "' or 1=1 --", "?x=1#y", "a\u00a0b", "-", "0" })
	void mayHaveNamesOfAlmostAnyCharacters(String name) {
		SessionName session = new SessionName(name, name, name);
		assertThat(session.appName()).isEqualTo(name);
		assertThat(session.userId()).isEqualTo(name);
		assertThat(session.sessionId()).isEqualTo(name);
	}

	@ParameterizedTest
	@ValueSource(strings = { "users/123", "a\\b", "a;b", "a%b", "a%2Fb", "/", "../x", "x/..", ";", "%" })
	void mayHaveUsersWithTheCharactersOfPaths(String name) {
		assertThat(new SessionName("app", name, "s1").userId()).isEqualTo(name);
		assertThat(new StateOwner("app", name).userId()).isEqualTo(name);
		assertRefused("appName", () -> new SessionName(name, "alice", "s1"));
		assertRefused("sessionId", () -> new SessionName("app", "alice", name));
		assertRefused("appName", () -> new StateOwner(name, null));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "\t", "\u2003", ".", "..", "a\nb", "a\u0000b", "a\u007fb", "a\u0085b", "\ud800",
			"a\udc00" })
	void mayNotHaveNamesThatBreakPathsOrRows(String name) {
		assertRefused("appName", () -> new SessionName(name, "alice", "s1"));
		assertRefused("userId", () -> new SessionName("app", name, "s1"));
		assertRefused("sessionId", () -> new SessionName("app", "alice", name));
		assertRefused("appName", () -> new StateOwner(name, null));
		assertRefused("userId", () -> new StateOwner("app", name));
	}

	@ParameterizedTest
	@ValueSource(strings = { "a", "\u4f1a", "\ud83d\ude00" })
	void haveUpTo512Characters(String character) {
		assertThat(new SessionName("app", "alice", character.repeat(512)).sessionId()).isEqualTo(character.repeat(512));
		assertRefused("sessionId", () -> new SessionName("app", "alice", character.repeat(513)));
	}

	@Test
	void refusedNameExplainsTheRule() {
		assertThatExceptionOfType(SessionException.InvalidArgument.class)
			.isThrownBy(() -> new SessionName("app", "alice", "a".repeat(513)))
			.withMessage("sessionId must have at most 512 characters");
		assertThatExceptionOfType(SessionException.InvalidArgument.class)
			.isThrownBy(() -> new SessionName("app", "alice", "a/b"))
			.withMessage("sessionId must not contain any of / \\ ; %");
	}

	@ParameterizedTest
	@CsvSource({ "' s1', s1", "'s1 ', s1", "'\ts 1\n', s 1" })
	void loseSpaceAroundTheSessionIdOnly(String sessionId, String stripped) {
		assertThat(new SessionName("app", " alice ", sessionId)).isEqualTo(new SessionName("app", " alice ", stripped));
	}

	@Test
	void nameTheOwnersOfSharedState() {
		SessionName name = new SessionName("app", "alice", "s1");
		assertThat(name.app()).isEqualTo(new StateOwner("app", null));
		assertThat(name.user()).isEqualTo(new StateOwner("app", "alice"));
	}

	private static void assertRefused(String field, Runnable creation) {
		assertThatExceptionOfType(SessionException.InvalidArgument.class).isThrownBy(creation::run)
			.withMessageStartingWith(field + " ");
	}

}
