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
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.event.AppendResult;
import dev.agentsessions.session.event.EventService.AppendRequest;
import dev.agentsessions.session.event.NewEvent;

/** Appending an event after what the caller takes for the newest. */
public interface PreconditionContract extends StoreUnderTest {

	@Test
	default void appendsAtTheExpectedRevision() {
		SessionName name = newSession();
		assertThat(append(name, 0L, null).replayed()).isFalse();
		assertThat(append(name, 1L, null).replayed()).isFalse();
	}

	@Test
	default void appendsAtTheExpectedTime() {
		SessionName name = newSession();
		assertThat(append(name, null, read(name).lastUpdateTime()).replayed()).isFalse();
		assertThat(append(name, null, read(name).lastUpdateTime()).replayed()).isFalse();
		assertThat(append(name, 2L, read(name).lastUpdateTime()).replayed()).isFalse();
	}

	@ParameterizedTest
	@ValueSource(longs = { -500, -1, 1, 499 })
	default void comparesTimesInMicroseconds(long nanoseconds) {
		SessionName name = newSession();
		assertThat(append(name, null, read(name).lastUpdateTime().plusNanos(nanoseconds)).replayed()).isFalse();
	}

	@ParameterizedTest
	@CsvSource({ "0, 0", "1, 1", "3, 2", "9223372036854775807, 2" })
	default void refusesAnotherRevision(long expected, long seen) {
		SessionName name = newSession();
		storeMany(name, 2);
		assertStale(read(name), seen, () -> append(name, expected, null));
	}

	@Test
	default void refusesAnotherTimeAndTellsWhichRevisionItBelongsTo() {
		SessionName name = newSession();
		Instant created = read(name).createTime();
		Event first = store(name, Events.id("e1"));
		Event second = store(name, Events.id("e2"));
		Event third = store(name, Events.id("e3"));
		Instant now = third.commitTime();
		Session session = read(name);
		assertThat(session.lastUpdateTime()).isEqualTo(now);
		assertStale(session, 0, () -> append(name, null, Instant.EPOCH));
		assertStale(session, 0, () -> append(name, null, created));
		assertStale(session, 1, () -> append(name, null, first.commitTime()));
		assertStale(session, 2, () -> append(name, null, second.commitTime()));
		assertStale(session, 3, () -> append(name, null, now.plus(1, ChronoUnit.MICROS)));
	}

	@Test
	default void refusesARightRevisionAtAWrongTime() {
		SessionName name = newSession();
		storeMany(name, 1);
		Session session = read(name);
		assertStale(session, 0, () -> append(name, 1L, session.createTime()));
		assertStale(session, 0, () -> append(name, 0L, session.lastUpdateTime()));
	}

	@Test
	default void writesNothingOfAStaleAppend() {
		SessionName name = newSession();
		store(name, Events.delta("{\"a\":1,\"user:b\":1,\"app:c\":1}"));
		Session before = read(name);
		NewEvent late = Events.delta("{\"a\":2,\"user:b\":" + Events.REMOVED + ",\"app:c\":2,\"d\":2}");
		assertStale(before, 0, () -> store().append(name, Events.append(late, 0)));
		assertThat(read(name)).usingRecursiveComparison().isEqualTo(before);
		assertThat(store().event(name, late.id())).isEmpty();
	}

	@Test
	default void acceptsTheSameEventOnceTheCallerHasSeenTheOthers() {
		SessionName name = newSession();
		store(name, Events.id("e1"));
		NewEvent event = Events.id("e2");
		assertStale(read(name), 0, () -> store().append(name, Events.append(event, 0)));
		assertThat(store().append(name, Events.append(event, read(name).revision())).replayed()).isFalse();
	}

	private AppendResult append(SessionName name, @Nullable Long revision, @Nullable Instant lastUpdateTime) {
		return store().append(name, new AppendRequest(Events.delta("{}"), new Precondition(revision, lastUpdateTime)));
	}

}
