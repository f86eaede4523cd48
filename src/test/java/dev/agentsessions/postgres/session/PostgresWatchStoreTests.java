package dev.agentsessions.postgres.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

import dev.agentsessions.postgres.PostgresStoreTest;
import dev.agentsessions.postgres.StatementRecorder;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.contract.Events;
import dev.agentsessions.session.contract.Sessions;
import dev.agentsessions.session.event.EventPoint;
import dev.agentsessions.session.event.EventQuery.EventPage;
import dev.agentsessions.watch.WatchService;
import dev.agentsessions.watch.WatchService.Store.LiveSession;

/** What watches read from PostgreSQL. */
class PostgresWatchStoreTests extends PostgresStoreTest {

	@Autowired
	private WatchService.Store watches;

	@Test
	void looksAtAllSessionsWithOneStatement() {
		SessionName name = newSession();
		List<Session> sessions = IntStream.range(0, 100)
			.mapToObj((number) -> this.store.create(Sessions.empty(Sessions.sibling(name, "s" + number + "x"))))
			.toList();
		Map<UUID, SessionName> names = sessions.stream().collect(Collectors.toMap(Session::sessionKey, Session::name));
		Session busy = sessions.get(7);
		storeMany(busy.name(), 3);
		Map<UUID, Optional<LiveSession>> live = new HashMap<>();
		assertThat(StatementRecorder.record(() -> live.putAll(this.watches.live(names)))).hasSize(1);
		assertThat(live).containsOnlyKeys(names.keySet());
		assertThat(live.get(busy.sessionKey()).map(LiveSession::version)).hasValue(read(busy.name()).version());
	}

	@Test
	void findsOnlyWhatIsThere() {
		Session gone = read(newSession());
		this.store.delete(gone.name(), Precondition.NONE);
		Session expired = this.store.create(Sessions.until(Sessions.newKey(), Instant.now().minusSeconds(60)));
		Instant end = Instant.now().plusSeconds(60).truncatedTo(ChronoUnit.MICROS);
		Session mortal = this.store.create(Sessions.until(Sessions.newKey(), end));
		Map<UUID, Optional<LiveSession>> live = this.watches
			.live(Stream.of(gone, expired, mortal).collect(Collectors.toMap(Session::sessionKey, Session::name)));
		assertThat(live).hasSize(3)
			.containsEntry(gone.sessionKey(), Optional.empty())
			.containsEntry(expired.sessionKey(), Optional.empty());
		assertThat(live.get(mortal.sessionKey()).map(LiveSession::expireTime)).hasValue(end);
		assertThat(this.watches.find(mortal.name())).isEqualTo(live.get(mortal.sessionKey()));
		assertThat(this.watches.find(gone.name())).isEmpty();
		assertThat(this.watches.find(expired.name())).isEmpty();
	}

	@Test
	void readsWhatFollowsInPieces() {
		SessionName name = newSession();
		UUID sessionKey = read(name).sessionKey();
		String event = "{\"author\":\"a\",\"filler\":\"" + "x".repeat(ListEventsStatement.MAX_CHUNK_CHARS) + "\"}";
		Event first = store(name, Events.event(event));
		Event second = store(name, Events.event(event));
		EventPage piece = this.watches.following(name, new EventPoint(sessionKey, 0, null)).orElseThrow();
		assertThat(piece.items()).containsExactly(first);
		assertThat(piece.more()).isTrue();
		EventPage next = this.watches.following(name, new EventPoint(sessionKey, 1, null)).orElseThrow();
		assertThat(next.items()).containsExactly(second);
		assertThat(next.more()).isFalse();
		assertThat(this.watches.following(name, new EventPoint(sessionKey, 2, null))).map(EventPage::items)
			.hasValue(List.of());
	}

	@Test
	void readsNothingOfAnotherSession() {
		Session session = read(newSession());
		this.store.delete(session.name(), Precondition.NONE);
		this.store.create(Sessions.empty(session.name()));
		storeMany(session.name(), 2);
		assertThat(this.watches.following(session.name(), new EventPoint(session.sessionKey(), 0, null))).isEmpty();
	}

}
