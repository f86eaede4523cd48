package dev.agentsessions.postgres.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.postgres.Concurrently;
import dev.agentsessions.postgres.ForeignTransaction;
import dev.agentsessions.postgres.PostgresStoreTest;
import dev.agentsessions.postgres.StoredKey;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.contract.Events;
import dev.agentsessions.session.contract.StoreUnderTest;
import dev.agentsessions.session.event.EventService.AppendRequest;
import dev.agentsessions.session.event.NewEvent;
import dev.agentsessions.session.lifecycle.LeaseService.Lease;
import dev.agentsessions.session.lifecycle.LeaseService.LeaseException;
import dev.agentsessions.session.lifecycle.LeaseService.LeaseRequest;

/** Many callers want one lease, and leases end while their holders write. */
class LeaseRaceTests extends PostgresStoreTest {

	private static final String END = """
			update sessions set lease_end = statement_timestamp() where session_key = ? and lease is not null""";

	private static final String TAKE = "update sessions set lease = lease + 1, lease_holder = 'b' where session_key = ?";

	@Autowired
	private JdbcConnectionDetails server;

	@RepeatedTest(3)
	void leaseIsGrantedToOneOfEightCallers() throws Exception {
		SessionName name = newSession();
		List<Object> outcomes = Concurrently.run(8,
				(number) -> StoreUnderTest.outcome(() -> acquire(name, "worker-" + number)));
		assertThat(outcomes).filteredOn(Lease.class::isInstance).hasSize(1);
		Lease lease = (Lease) outcomes.stream().filter(Lease.class::isInstance).findFirst().orElseThrow();
		assertThat(outcomes).filteredOn(LeaseException.Busy.class::isInstance)
			.hasSize(7)
			.allSatisfy((busy) -> assertThat(((LeaseException.Busy) busy).details()).containsEntry("holder",
					lease.holder()));
	}

	@Test
	void leaseEndsByClockOfDatabase() {
		SessionName name = newSession();
		Instant before = databaseTime();
		Lease lease = this.store.acquire(name, new LeaseRequest("a", Duration.ofSeconds(100), true), Precondition.NONE);
		assertThat(endOfLease(name)).isBetween(before.plusSeconds(100), databaseTime().plusSeconds(100));
		append(name, lease, "e1", 0);
		endLease(name);
		assertLost(() -> append(name, lease, "e2", 0));
		assertLost(() -> append(name, lease, "e2", 70_000));
		assertLost(() -> this.store.appendAll(name, List.of(Events.id("e2"), Events.id("e3")), under(lease)));
		assertLost(() -> this.store.acquire(name, new LeaseRequest("a", Duration.ofSeconds(1), true), under(lease)));
		store(name, Events.id("e2"));
		assertThat(acquire(name, "b").number()).isGreaterThan(lease.number());
	}

	private Instant databaseTime() {
		return this.jdbc.queryForObject("select statement_timestamp()", OffsetDateTime.class).toInstant();
	}

	private Instant endOfLease(SessionName name) {
		return this.jdbc
			.queryForObject("select lease_end from sessions where session_key = ?", OffsetDateTime.class,
					StoredKey.of(this.jdbc, name))
			.toInstant();
	}

	/** As if the clock of the database had moved on. */
	private void endLease(SessionName name) {
		this.jdbc.update(END, StoredKey.of(this.jdbc, name));
	}

	/**
	 * The append was sent in time, but the row was somebody else's until the lease was.
	 */
	@ParameterizedTest
	@ValueSource(ints = { 0, 70_000 })
	void appendThatWaitedUntilLeaseWasTakenIsRefused(int size) throws Exception {
		SessionName name = newSession();
		Lease lease = acquire(name, "a");
		try (ForeignTransaction other = ForeignTransaction.begin(this.server).lock(name)) {
			CompletableFuture<Object> append = Concurrently
				.start(() -> StoreUnderTest.outcome(() -> append(name, lease, "e1", size)));
			other.awaitWaiting(this.jdbc).execute(TAKE, StoredKey.of(this.jdbc, name)).commit();
			assertThat(append.get()).isInstanceOf(LeaseException.Lost.class);
		}
		assertThat(read(name).revision()).isZero();
	}

	/**
	 * Leases end at any time. No holder writes after the holder of a later lease has
	 * written.
	 */
	@Test
	void holderNeverWritesAfterHolderOfLaterLease() throws Exception {
		SessionName name = newSession();
		Set<Long> taken = ConcurrentHashMap.newKeySet();
		Concurrently.run(6, (number) -> {
			for (int turn = 0; turn < 40 || taken.size() <= 20; turn++) {
				takeATurn(name, "worker-" + number, taken);
			}
			return number;
		});
		List<Long> leases = read(name).events().toList().stream().map(LeaseRaceTests::leaseOf).toList();
		assertThat(leases).isSorted();
		assertThat(leases.stream().distinct()).hasSizeGreaterThan(20);
	}

	/**
	 * One of eight turns begins with the end of the lease, also if another holder has it.
	 */
	private void takeATurn(SessionName name, String holder, Set<Long> taken) {
		if (ThreadLocalRandom.current().nextInt(8) == 0) {
			endLease(name);
		}
		try {
			Lease lease = acquire(name, holder);
			append(name, lease, null, 0);
			taken.add(lease.number());
			this.store.appendAll(name, List.of(event(lease, null, 0), event(lease, null, 0)), under(lease));
			append(name, lease, null, ThreadLocalRandom.current().nextBoolean() ? 0 : 70_000);
		}
		catch (LeaseException ex) {
			// Another holder has the lease
			assertThat(ex.getMessage()).isNotEmpty();
		}
	}

	private Lease acquire(SessionName name, String holder) {
		return this.store.acquire(name, new LeaseRequest(holder, Duration.ofMinutes(10), null), Precondition.NONE);
	}

	private Object append(SessionName name, Lease lease, String id, int size) {
		return this.store.append(name, new AppendRequest(event(lease, id, size), under(lease)));
	}

	private static NewEvent event(Lease lease, String id, int size) {
		return Events.event("{\"id\":\"%s\",\"author\":\"a\",\"lease\":%d,\"filler\":\"%s\"}"
			.formatted((id != null) ? id : "", lease.number(), "x".repeat(size)));
	}

	private static long leaseOf(Event event) {
		return Long.parseLong(JsonObject.parse(event.body().text()).required("lease").text());
	}

	private static Precondition under(Lease lease) {
		return Precondition.NONE.under(lease.number());
	}

	private static void assertLost(ThrowingCallable action) {
		assertThatExceptionOfType(LeaseException.Lost.class).isThrownBy(action);
	}

}
