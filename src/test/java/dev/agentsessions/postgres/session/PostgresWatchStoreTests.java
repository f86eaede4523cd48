package dev.agentsessions.postgres.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

import dev.agentsessions.postgres.PostgresStoreTest;
import dev.agentsessions.postgres.StatementRecorder;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.contract.Events;
import dev.agentsessions.session.contract.Sessions;
import dev.agentsessions.session.event.EventPage;
import dev.agentsessions.session.event.EventPoint;
import dev.agentsessions.watch.WatchService;
import dev.agentsessions.watch.WatchService.Store.LiveSession;

/** What watches read from PostgreSQL. */
class PostgresWatchStoreTests extends PostgresStoreTest {

	@Autowired
	private WatchService.Store watches;

	@Test
	void looksAtAllSessionsWithOneStatement() {
		SessionKey key = newSession();
		List<Session> sessions = IntStream.range(0, 100)
			.mapToObj((number) -> this.store.create(Sessions.empty(Sessions.sibling(key, "s" + number + "x"))))
			.toList();
		List<UUID> births = sessions.stream().map(Session::birth).toList();
		Session busy = sessions.get(7);
		storeMany(busy.key(), 3);
		Map<UUID, LiveSession> live = new HashMap<>();
		assertThat(StatementRecorder.record(() -> live.putAll(this.watches.live(births)))).hasSize(1);
		assertThat(live).containsOnlyKeys(births);
		assertThat(live.get(busy.birth()).version()).isEqualTo(read(busy.key()).version());
	}

	@Test
	void findsOnlyWhatIsThere() {
		Session gone = read(newSession());
		this.store.delete(gone.key(), Precondition.NONE);
		Session expired = this.store.create(Sessions.until(Sessions.newKey(), Instant.now().minusSeconds(60)));
		Instant end = Instant.now().plusSeconds(60).truncatedTo(ChronoUnit.MICROS);
		Session mortal = this.store.create(Sessions.until(Sessions.newKey(), end));
		Map<UUID, LiveSession> live = this.watches
			.live(List.of(gone.birth(), expired.birth(), mortal.birth(), UUID.randomUUID()));
		assertThat(live).containsOnlyKeys(mortal.birth());
		assertThat(live.get(mortal.birth()).expireTime()).isEqualTo(end);
		assertThat(this.watches.find(mortal.key())).hasValue(live.get(mortal.birth()));
		assertThat(this.watches.find(gone.key())).isEmpty();
		assertThat(this.watches.find(expired.key())).isEmpty();
	}

	@Test
	void readsWhatFollowsInPieces() {
		SessionKey key = newSession();
		UUID birth = read(key).birth();
		String event = "{\"author\":\"a\",\"filler\":\"" + "x".repeat(ListEventsStatement.MAX_CHUNK_CHARS) + "\"}";
		Event first = store(key, Events.event(event));
		Event second = store(key, Events.event(event));
		EventPage piece = this.watches.following(new EventPoint(birth, 0, null)).orElseThrow();
		assertThat(piece.items()).containsExactly(first);
		assertThat(piece.more()).isTrue();
		EventPage next = this.watches.following(new EventPoint(birth, 1, null)).orElseThrow();
		assertThat(next.items()).containsExactly(second);
		assertThat(next.more()).isFalse();
		assertThat(this.watches.following(new EventPoint(birth, 2, null))).map(EventPage::items).hasValue(List.of());
	}

	@Test
	void readsNothingOfAnotherSession() {
		Session session = read(newSession());
		this.store.delete(session.key(), Precondition.NONE);
		this.store.create(Sessions.empty(session.key()));
		storeMany(session.key(), 2);
		assertThat(this.watches.following(new EventPoint(session.birth(), 0, null))).isEmpty();
	}

}
