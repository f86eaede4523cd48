package dev.agentsessions.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

import dev.agentsessions.session.Event;
import dev.agentsessions.session.EventPage;
import dev.agentsessions.session.Events;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.SessionStore;
import dev.agentsessions.session.Sessions;
import dev.agentsessions.session.StoreUnderTest;
import dev.agentsessions.watch.LiveSession;
import dev.agentsessions.watch.WatchStore;

/** What watches read from PostgreSQL. */
@PostgresTest
class PostgresWatchStoreTests implements StoreUnderTest {

	@Autowired
	private SessionStore store;

	@Autowired
	private WatchStore watches;

	@Override
	public SessionStore store() {
		return this.store;
	}

	@Test
	void looksAtAllSessionsWithOneStatement() {
		SessionKey key = newSession();
		List<SessionKey> keys = IntStream.range(0, 100)
			.mapToObj((number) -> this.store.create(Sessions.empty(Sessions.sibling(key, "s" + number + "x"))).key())
			.toList();
		storeMany(keys.get(7), 3);
		Map<SessionKey, LiveSession> live = new HashMap<>();
		assertThat(StatementRecorder.record(() -> live.putAll(this.watches.live(keys)))).hasSize(1);
		assertThat(live).containsOnlyKeys(keys);
		assertThat(live.get(keys.get(7)).version()).isEqualTo(read(keys.get(7)).version());
	}

	@Test
	void findsOnlyWhatIsThere() {
		SessionKey gone = newSession();
		this.store.delete(gone, Precondition.NONE);
		SessionKey expired = this.store.create(Sessions.until(Sessions.newKey(), Instant.now().minusSeconds(60))).key();
		Instant end = Instant.now().plusSeconds(60).truncatedTo(ChronoUnit.MICROS);
		SessionKey mortal = this.store.create(Sessions.until(Sessions.newKey(), end)).key();
		Map<SessionKey, LiveSession> live = this.watches.live(List.of(gone, expired, mortal, Sessions.newKey()));
		assertThat(live).containsOnlyKeys(mortal);
		assertThat(live.get(mortal).expireTime()).isEqualTo(end);
	}

	@Test
	void readsWhatFollowsInPieces() {
		SessionKey key = newSession();
		Instant created = read(key).createTime();
		String event = "{\"author\":\"a\",\"filler\":\"" + "x".repeat(EventsStatement.PIECE) + "\"}";
		Event first = store(key, Events.event(event));
		Event second = store(key, Events.event(event));
		EventPage piece = this.watches.following(key, created, 0).orElseThrow();
		assertThat(piece.items()).containsExactly(first);
		assertThat(piece.more()).isTrue();
		EventPage next = this.watches.following(key, created, 1).orElseThrow();
		assertThat(next.items()).containsExactly(second);
		assertThat(next.more()).isFalse();
		assertThat(this.watches.following(key, created, 2)).map(EventPage::items).hasValue(List.of());
	}

	@Test
	void readsNothingOfAnotherSession() {
		Session session = read(newSession());
		this.store.delete(session.key(), Precondition.NONE);
		this.store.create(Sessions.empty(session.key()));
		storeMany(session.key(), 2);
		assertThat(this.watches.following(session.key(), session.createTime(), 0)).isEmpty();
	}

}
