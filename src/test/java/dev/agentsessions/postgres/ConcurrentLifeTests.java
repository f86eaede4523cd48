package dev.agentsessions.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.Set;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.contract.Events;
import dev.agentsessions.session.contract.Sessions;
import dev.agentsessions.session.contract.StoreUnderTest;
import dev.agentsessions.session.event.AppendResult;

/** Sessions that are created, changed and deleted by many at once. */
class ConcurrentLifeTests extends PostgresStoreTest {

	private static final int MANY = 10_000;

	private static final int COUNTED = 50;

	@RepeatedTest(3)
	void createsOneOfManySessionsWithOneId() throws Exception {
		SessionName name = Sessions.newKey();
		List<Optional<Session>> created = Concurrently.run(8, (number) -> createIfFree(name, number));
		Session winner = created.stream().flatMap(Optional::stream).findAny().orElseThrow();
		assertThat(created).containsOnlyOnce(Optional.of(winner)).containsOnly(Optional.of(winner), Optional.empty());
		assertThat(read(name)).usingRecursiveComparison().isEqualTo(winner);
	}

	private Optional<Session> createIfFree(SessionName name, int number) {
		try {
			return Optional.of(this.store.create(Sessions.with(name, "{\"a\":%1$d,\"app:b\":%1$d}".formatted(number))));
		}
		catch (SessionException.AlreadyExists ex) {
			return Optional.empty();
		}
	}

	@Test
	void createsManySessionsThatSetTheSameKeysOfTheirApp() throws Exception {
		SessionName name = Sessions.newKey();
		long deadlocks = Deadlocks.count(this.jdbc);
		Concurrently.run(16, (number) -> createFive(name, number));
		assertThat(Deadlocks.count(this.jdbc)).isEqualTo(deadlocks);
		assertThat(this.store.state(name.app())).containsOnlyKeys("a", "b");
		assertThat(this.store.state(name.app()).values()).containsOnly(this.store.state(name.user()).get("c"));
	}

	/** Half of the creators name the keys in the opposite order. */
	private boolean createFive(SessionName name, int number) {
		String state = (number % 2 == 0) ? "{\"app:a\":1,\"app:b\":1,\"user:c\":1}"
				: "{\"user:c\":2,\"app:b\":2,\"app:a\":2}";
		for (int count = 0; count < 5; count++) {
			this.store.create(Sessions.with(Sessions.sibling(name, "s" + number + "-" + count), state));
		}
		return true;
	}

	@RepeatedTest(10)
	void neitherRevivesNorHalvesASessionThatIsDeletedWhileOthersAppend() throws Exception {
		SessionName session = newSession();
		List<Boolean> done = Concurrently.run(6, (number) -> (number == 0) ? delete(session) : append(session, number));
		assertThat(done).containsOnly(true);
		assertThat(this.store.find(session, EventWindow.ALL)).isEmpty();
		assertThat(rows("select count(*) from events where session_key = ?", session)).isZero();
		assertThat(rows("select count(*) from state where scope_key = ?", session)).isZero();
		Session again = this.store.create(Sessions.empty(session));
		assertThat(again.state().keySet()).allMatch((name) -> name.startsWith("app:"));
	}

	private long rows(String sql, SessionName name) {
		return this.jdbc.queryForObject(sql, Long.class, StoredKey.of(this.jdbc, name));
	}

	private boolean delete(SessionName name) {
		this.store.delete(name, Precondition.NONE);
		return true;
	}

	/** Appends until the session is gone. */
	private boolean append(SessionName name, int number) {
		for (int count = 0; count < MANY; count++) {
			Object outcome = StoreUnderTest.outcome(() -> this.store.append(name,
					Events.append(Events.delta("{\"k%1$d\":%1$d,\"app:k%1$d\":%1$d}".formatted(number)))));
			if (!(outcome instanceof AppendResult)) {
				return outcome instanceof SessionException.NotFound;
			}
		}
		return false;
	}

	@Test
	void readsNoHalfOfAWrite() throws Exception {
		SessionName name = newSession();
		List<Boolean> done = Concurrently.run(4, (number) -> (number == 0) ? count(name) : countsAgree(name));
		assertThat(done).containsOnly(true);
	}

	private boolean count(SessionName name) {
		for (int value = 1; value <= COUNTED; value++) {
			store(name, Events.delta("{\"a\":%1$d,\"app:b\":%1$d,\"user:c\":%1$d}".formatted(value)));
		}
		return true;
	}

	/** Reads until the last value is there; every read shows one moment. */
	private boolean countsAgree(SessionName name) {
		for (Session session = read(name); session.revision() < COUNTED; session = read(name)) {
			Set<JsonText> values = Set.copyOf(session.state().values());
			boolean agree = session.revision() == 0 || values.equals(Set.of(new JsonText("" + session.revision())));
			if (!agree || session.events().toList().size() != session.revision()) {
				return false;
			}
		}
		return true;
	}

}
