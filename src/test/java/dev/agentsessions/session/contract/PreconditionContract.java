package dev.agentsessions.session.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.agentsessions.session.Event;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.event.AppendRequest;
import dev.agentsessions.session.event.AppendResult;
import dev.agentsessions.session.event.NewEvent;

/** Appending an event after what the caller takes for the newest. */
public interface PreconditionContract extends StoreUnderTest {

	@Test
	default void appendsAtTheExpectedRevision() {
		SessionKey key = newSession();
		assertThat(append(key, 0L, null).replayed()).isFalse();
		assertThat(append(key, 1L, null).replayed()).isFalse();
	}

	@Test
	default void appendsAtTheExpectedTime() {
		SessionKey key = newSession();
		assertThat(append(key, null, read(key).lastUpdateTime()).replayed()).isFalse();
		assertThat(append(key, null, read(key).lastUpdateTime()).replayed()).isFalse();
		assertThat(append(key, 2L, read(key).lastUpdateTime()).replayed()).isFalse();
	}

	@ParameterizedTest
	@ValueSource(longs = { -500, -1, 1, 499 })
	default void comparesTimesInMicroseconds(long nanoseconds) {
		SessionKey key = newSession();
		assertThat(append(key, null, read(key).lastUpdateTime().plusNanos(nanoseconds)).replayed()).isFalse();
	}

	@ParameterizedTest
	@CsvSource({ "0, 0", "1, 1", "3, 2", "9223372036854775807, 2" })
	default void refusesAnotherRevision(long expected, long seen) {
		SessionKey key = newSession();
		storeMany(key, 2);
		assertStale(read(key), seen, () -> append(key, expected, null));
	}

	@Test
	default void refusesAnotherTimeAndTellsWhichRevisionItBelongsTo() {
		SessionKey key = newSession();
		Instant created = read(key).createTime();
		Event first = store(key, Events.id("e1"));
		Event second = store(key, Events.id("e2"));
		Event third = store(key, Events.id("e3"));
		Instant now = third.commitTime();
		Session session = read(key);
		assertThat(session.lastUpdateTime()).isEqualTo(now);
		assertStale(session, 0, () -> append(key, null, Instant.EPOCH));
		assertStale(session, 0, () -> append(key, null, created));
		assertStale(session, 1, () -> append(key, null, first.commitTime()));
		assertStale(session, 2, () -> append(key, null, second.commitTime()));
		assertStale(session, 3, () -> append(key, null, now.plus(1, ChronoUnit.MICROS)));
	}

	@Test
	default void refusesARightRevisionAtAWrongTime() {
		SessionKey key = newSession();
		storeMany(key, 1);
		Session session = read(key);
		assertStale(session, 0, () -> append(key, 1L, session.createTime()));
		assertStale(session, 0, () -> append(key, 0L, session.lastUpdateTime()));
	}

	@Test
	default void writesNothingOfAStaleAppend() {
		SessionKey key = newSession();
		store(key, Events.delta("{\"a\":1,\"user:b\":1,\"app:c\":1}"));
		Session before = read(key);
		NewEvent late = Events.delta("{\"a\":2,\"user:b\":" + Events.REMOVED + ",\"app:c\":2,\"d\":2}");
		assertStale(before, 0, () -> store().append(key, Events.append(late, 0)));
		assertThat(read(key)).usingRecursiveComparison().isEqualTo(before);
		assertThat(store().event(key, late.id())).isEmpty();
	}

	@Test
	default void acceptsTheSameEventOnceTheCallerHasSeenTheOthers() {
		SessionKey key = newSession();
		store(key, Events.id("e1"));
		NewEvent event = Events.id("e2");
		assertStale(read(key), 0, () -> store().append(key, Events.append(event, 0)));
		assertThat(store().append(key, Events.append(event, read(key).revision())).replayed()).isFalse();
	}

	private AppendResult append(SessionKey key, @Nullable Long revision, @Nullable Instant lastUpdateTime) {
		return store().append(key, new AppendRequest(Events.delta("{}"), new Precondition(revision, lastUpdateTime)));
	}

}
