package dev.agentsessions.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.StateOwner;

/**
 * The digests never change, or no stored session would be found any more. Computed with
 * Python: sha256 over struct.pack('>I', len(name)) + name for each name in UTF-8.
 */
class ScopeKeyTests {

	@ParameterizedTest
	@CsvSource({ "app, alice, s1, a2133b76-3b3b-5497-28d6-de14d9f2179b",
			"ap, palice, s1, ab8be65d-754b-19b9-94a3-6e664fef17d6", "a, b, c, db0a8b92-0d42-f074-b0a7-5e382383d31f",
			"Reise-App, zo\u00eb, \u4f1a\u8bdd-1, 039597ca-ed65-d463-2f2a-92e7aed6818e" })
	void digestsNamesOfSessions(String appName, String userId, String sessionId, UUID digest) {
		assertThat(ScopeKey.of(new SessionName(appName, userId, sessionId))).isEqualTo(digest);
	}

	@ParameterizedTest
	@CsvSource({ "app, , 4809ceb3-5fb7-8051-d352-993f96032c0c", "app, alice, 34283209-f10b-5c92-29f6-57b2496712b0",
			"appalice, , 9434176b-e6ce-b254-461a-b5582c98187c",
			"app, \ud83d\ude00, 56458b80-8734-d551-051b-25aa3bea158e" })
	void digestsNamesOfOwners(String appName, String userId, UUID digest) {
		assertThat(ScopeKey.of(new StateOwner(appName, userId))).isEqualTo(digest);
	}

	@Test
	void digestsLongNames() {
		SessionName name = new SessionName("x".repeat(512), "y".repeat(512), "z".repeat(512));
		assertThat(ScopeKey.of(name)).isEqualTo(UUID.fromString("7cb7aa2c-339f-5e38-b992-086d11740a6a"));
	}

	@Test
	void sortsByUnsignedBytesAsPostgresqlDoes() {
		List<UUID> sorted = Stream
			.of("00000000-0000-0000-8000-000000000000", "7fffffff-0000-0000-0000-000000000000",
					"80000000-0000-0000-0000-000000000000", "80000000-0000-0000-ffff-000000000000")
			.map(UUID::fromString)
			.toList();
		assertThat(sorted.stream().sorted(ScopeKey.ORDER.reversed()).sorted(ScopeKey.ORDER).toList()).isEqualTo(sorted);
		assertThat(ScopeKey.ORDER.compare(UUID.fromString("00000000-0000-0000-8000-000000000000"),
				UUID.fromString("00000000-0000-0000-7000-000000000000")))
			.isPositive();
	}

}
