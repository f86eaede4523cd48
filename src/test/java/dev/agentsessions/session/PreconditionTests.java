package dev.agentsessions.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.UUID;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.agentsessions.session.Session.SessionVersion;

/** When an append may go ahead. */
class PreconditionTests {

	private static final UUID SESSION_KEY = new UUID(1, 2);

	private static final Instant TIME = Instant.parse("2026-01-01T00:00:00.123456Z");

	@Test
	void holdsAlwaysIfThereIsNone() {
		assertThat(Precondition.NONE.isNone()).isTrue();
		assertThat(Precondition.NONE.isSatisfiedBy(new SessionVersion(0, SESSION_KEY, TIME, 0))).isTrue();
		assertThat(Precondition.NONE.isSatisfiedBy(new SessionVersion(7, SESSION_KEY, Instant.EPOCH, 3))).isTrue();
	}

	@ParameterizedTest
	@CsvSource(nullValues = "-", textBlock = """
			7, -,                              true
			6, -,                              false
			8, -,                              false
			-, 2026-01-01T00:00:00.123456Z,    true
			-, 2026-01-01T00:00:00.123455Z,    false
			-, 2026-01-01T00:00:00.123457Z,    false
			-, 2026-01-01T00:00:00.1234555Z,   true
			-, 2026-01-01T00:00:00.123456499Z, true
			-, 2026-01-01T00:00:00.1234565Z,   false
			-, 2026-01-01T00:00:00.123455499Z, false
			7, 2026-01-01T00:00:00.123456Z,    true
			6, 2026-01-01T00:00:00.123456Z,    false
			7, 2026-01-01T00:00:00Z,           false
			""")
	void holdsIfAllThatIsGivenIsStored(Long revision, Instant lastUpdateTime, boolean holds) {
		Precondition precondition = new Precondition(revision, lastUpdateTime);
		assertThat(precondition.isNone()).isFalse();
		assertThat(precondition.isSatisfiedBy(new SessionVersion(7, SESSION_KEY, TIME, 0))).isEqualTo(holds);
	}

	@ParameterizedTest
	@CsvSource({ "7, 3, true, true", "7, 4, false, true", "8, 3, false, false" })
	void comparesTheWholeVersionUnlessDetailsDoNotMatter(long revision, int details, boolean holds, boolean append) {
		Precondition precondition = Precondition.of(new SessionVersion(7, SESSION_KEY, TIME, 3));
		SessionVersion stored = new SessionVersion(revision, SESSION_KEY, TIME, details);
		assertThat(precondition.isSatisfiedBy(stored)).isEqualTo(holds);
		assertThat(precondition.withoutDetails().isSatisfiedBy(stored)).isEqualTo(append);
	}

	@Test
	void doesNotMeanAFormerSession() {
		Precondition precondition = Precondition.of(new SessionVersion(7, SESSION_KEY, TIME, 0));
		assertThat(precondition.isSatisfiedBy(new SessionVersion(7, new UUID(1, 3), TIME, 0))).isFalse();
		assertThat(precondition.withoutDetails().isSatisfiedBy(new SessionVersion(7, new UUID(1, 3), TIME, 0)))
			.isFalse();
	}

	@Test
	void doesNotMeanAnotherHistory() {
		Precondition precondition = Precondition.of(new SessionVersion(7, SESSION_KEY, TIME, 0)).withoutDetails();
		assertThat(precondition.isSatisfiedBy(new SessionVersion(7, SESSION_KEY, TIME.plusNanos(1000), 0))).isFalse();
		assertThat(precondition.after(TIME).isSatisfiedBy(new SessionVersion(7, SESSION_KEY, TIME, 0))).isTrue();
		assertThat(precondition.after(TIME.plusNanos(1000))).isEqualTo(Precondition.NEVER);
	}

	@Test
	void neverHoldsIfItIsMeantTo() {
		assertThat(Precondition.NEVER.isSatisfiedBy(new SessionVersion(0, SESSION_KEY, TIME, 0))).isFalse();
	}

}
