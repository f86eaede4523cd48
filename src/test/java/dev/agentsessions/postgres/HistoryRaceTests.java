package dev.agentsessions.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.JdbcTemplate;

import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.Events;
import dev.agentsessions.session.ForkRequest;
import dev.agentsessions.session.Histories;
import dev.agentsessions.session.HistoryPoint;
import dev.agentsessions.session.HistoryService;
import dev.agentsessions.session.HistoryStore;
import dev.agentsessions.session.PastSession;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.RewindRequest;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.SessionStore;
import dev.agentsessions.session.Sessions;
import dev.agentsessions.session.StoreUnderTest;

/** Forks and rewinds of a session to which others write, or which others remove. */
@PostgresTest
class HistoryRaceTests implements StoreUnderTest {

	private static final int TURNS = 25;

	@Autowired
	private SessionStore store;

	@Autowired
	private HistoryStore past;

	@Autowired
	private JdbcTemplate jdbc;

	private HistoryService history;

	@Override
	public SessionStore store() {
		return this.store;
	}

	@BeforeEach
	void begin() {
		this.history = Histories.of(this.store, this.past);
	}

	@Test
	void rewindsLoseNothingThatOthersWrite() throws Exception {
		SessionKey key = Sessions.newKey();
		this.store.create(Sessions.with(key, "{\"a\":0}", "{\"invocationId\":\"i0\"}"));
		List<Boolean> done = Concurrently.run(8, (number) -> {
			for (int turn = 0; turn < TURNS; turn++) {
				if (number < 2) {
					this.history.rewind(key, new RewindRequest("i0", null), Precondition.NONE);
				}
				else {
					store(key, Events.delta("{\"k%1$d\":%2$d,\"a\":%2$d}".formatted(number, turn)));
				}
			}
			return true;
		});
		assertThat(done).containsOnly(true);
		PastSession newest = this.past.find(key, HistoryPoint.NEWEST, EventWindow.NONE).orElseThrow();
		assertThat(newest.session().revision()).isEqualTo(1 + 8L * TURNS);
		assertThat(newest.session().state()).isEqualTo(read(key).state());
		for (long seq = 1; seq <= newest.session().revision(); seq++) {
			PastSession then = this.past.find(key, HistoryPoint.after(seq), new EventWindow(1, null)).orElseThrow();
			if (then.session().events().toList().get(0).body().text().contains("rewindBeforeInvocationId")) {
				assertThat(then.session().state().get("a").text()).as("right after the rewind %d", seq).isEqualTo("0");
				assertThat(then.session().state().entrySet()).as("right after the rewind %d", seq)
					.allMatch((entry) -> entry.getKey().equals("a") || entry.getValue().isNull());
			}
		}
	}

	@RepeatedTest(5)
	void forksAreWholeOrNotThereWhileTheirSourceIsRemoved() throws Exception {
		SessionKey key = Sessions.newKey();
		this.store.create(Sessions.with(key, "{\"a\":0,\"b\":0}"));
		storeMany(key, 30);
		List<Boolean> done = Concurrently.run(6, (number) -> (number == 0) ? delete(key) : fork(key, number));
		assertThat(done).containsOnly(true);
		for (int number = 1; number < 6; number++) {
			this.store.find(Sessions.sibling(key, "f" + number), EventWindow.ALL).ifPresent((fork) -> {
				assertThat(fork.events().toList()).hasSize(30);
				assertThat(fork.state()).hasSize(2);
				assertThat(this.past.find(fork.key(), HistoryPoint.after(0), EventWindow.NONE)
					.orElseThrow()
					.session()
					.state()).hasSize(2);
			});
		}
	}

	@RepeatedTest(10)
	void noForkOutlivesTheErasureOfItsUser() throws Exception {
		SessionKey key = Sessions.newKey();
		this.store.create(Sessions.with(key, "{\"a\":0}"));
		storeMany(key, 30);
		List<Boolean> done = Concurrently.run(6, (number) -> (number == 0) ? erase(key) : fork(key, number));
		assertThat(done).containsOnly(true);
		UUID user = ScopeKey.of(key.user());
		assertThat(this.jdbc.queryForObject("select count(*) from sessions where user_key = ?", Integer.class, user))
			.isZero();
	}

	private boolean delete(SessionKey key) {
		LockSupport.parkNanos(20_000_000);
		this.store.delete(key, Precondition.NONE);
		return true;
	}

	private boolean erase(SessionKey key) {
		LockSupport.parkNanos(20_000_000);
		this.store.erase(key.user());
		return true;
	}

	/** Forks until the session is gone; the last fork stays. */
	private boolean fork(SessionKey key, int number) {
		for (int turn = 0; turn < 1000; turn++) {
			ForkRequest request = new ForkRequest(key, HistoryPoint.NEWEST, Sessions.sibling(key, "f" + number),
					SessionDetails.NONE, Precondition.NONE);
			this.store.delete(request.target(), Precondition.NONE);
			Object outcome = StoreUnderTest.outcome(() -> this.history.fork(request, EventWindow.NONE));
			if (outcome instanceof SessionException.NotFound) {
				return true;
			}
			assertThat(outcome).isInstanceOf(Session.class);
		}
		return false;
	}

}
