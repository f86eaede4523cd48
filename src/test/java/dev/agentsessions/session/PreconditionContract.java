package dev.agentsessions.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Appending an event after what the caller takes for the newest. */
interface PreconditionContract extends StoreUnderTest {

	@Test
	default void appendsAtTheExpectedRevision() {
		SessionKey key = newSession();
		assertThat(append(key, 0L, null)).isInstanceOf(AppendOutcome.Stored.class);
		assertThat(append(key, 1L, null)).isInstanceOf(AppendOutcome.Stored.class);
	}

	@Test
	default void appendsAtTheExpectedTime() {
		SessionKey key = newSession();
		assertThat(append(key, null, read(key).lastUpdateTime())).isInstanceOf(AppendOutcome.Stored.class);
		assertThat(append(key, null, read(key).lastUpdateTime())).isInstanceOf(AppendOutcome.Stored.class);
		assertThat(append(key, 2L, read(key).lastUpdateTime())).isInstanceOf(AppendOutcome.Stored.class);
	}

	@ParameterizedTest
	@ValueSource(longs = { -500, -1, 1, 499 })
	default void comparesTimesInMicroseconds(long nanoseconds) {
		SessionKey key = newSession();
		assertThat(append(key, null, read(key).lastUpdateTime().plusNanos(nanoseconds)))
			.isInstanceOf(AppendOutcome.Stored.class);
	}

	@ParameterizedTest
	@CsvSource({ "0, 0", "1, 1", "3, 2", "9223372036854775807, 2" })
	default void refusesAnotherRevision(long expected, long seen) {
		SessionKey key = newSession();
		storeMany(key, 2);
		assertThat(append(key, expected, null))
			.isEqualTo(new AppendOutcome.Stale(read(key).version(), read(key).lastUpdateTime(), seen));
	}

	@Test
	default void refusesAnotherTimeAndTellsWhichRevisionItBelongsTo() {
		SessionKey key = newSession();
		Instant created = read(key).createTime();
		Event first = store(key, Events.id("e1"));
		Event second = store(key, Events.id("e2"));
		Event third = store(key, Events.id("e3"));
		Instant now = third.commitTime();
		assertThat(append(key, null, Instant.EPOCH)).isEqualTo(new AppendOutcome.Stale(read(key).version(), now, 0));
		assertThat(append(key, null, created)).isEqualTo(new AppendOutcome.Stale(read(key).version(), now, 0));
		assertThat(append(key, null, first.commitTime()))
			.isEqualTo(new AppendOutcome.Stale(read(key).version(), now, 1));
		assertThat(append(key, null, second.commitTime()))
			.isEqualTo(new AppendOutcome.Stale(read(key).version(), now, 2));
		assertThat(append(key, null, now.plus(1, ChronoUnit.MICROS)))
			.isEqualTo(new AppendOutcome.Stale(read(key).version(), now, 3));
	}

	@Test
	default void refusesARightRevisionAtAWrongTime() {
		SessionKey key = newSession();
		storeMany(key, 1);
		assertThat(append(key, 1L, read(key).createTime())).isInstanceOf(AppendOutcome.Stale.class);
		assertThat(append(key, 0L, read(key).lastUpdateTime())).isInstanceOf(AppendOutcome.Stale.class);
	}

	@Test
	default void writesNothingOfAStaleAppend() {
		SessionKey key = newSession();
		store(key, Events.delta("{\"a\":1,\"user:b\":1,\"app:c\":1}"));
		Session before = read(key);
		NewEvent late = Events.delta("{\"a\":2,\"user:b\":" + Events.REMOVED + ",\"app:c\":2,\"d\":2}");
		assertThat(store().append(key, Events.append(late, 0))).isInstanceOf(AppendOutcome.Stale.class);
		assertThat(read(key)).isEqualTo(before);
		assertThat(store().event(key, late.id())).isEmpty();
	}

	@Test
	default void acceptsTheSameEventOnceTheCallerHasSeenTheOthers() {
		SessionKey key = newSession();
		store(key, Events.id("e1"));
		NewEvent event = Events.id("e2");
		AppendOutcome refused = store().append(key, Events.append(event, 0));
		long current = ((AppendOutcome.Stale) refused).version().revision();
		assertThat(store().append(key, Events.append(event, current))).isInstanceOf(AppendOutcome.Stored.class);
	}

	private AppendOutcome append(SessionKey key, @Nullable Long revision, @Nullable Instant lastUpdateTime) {
		return store().append(key, new AppendRequest(Events.delta("{}"), new Precondition(revision, lastUpdateTime)));
	}

}
