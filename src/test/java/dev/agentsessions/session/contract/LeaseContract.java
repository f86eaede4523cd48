package dev.agentsessions.session.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.event.AppendRequest;
import dev.agentsessions.session.event.AppendResult;
import dev.agentsessions.session.lifecycle.Lease;
import dev.agentsessions.session.lifecycle.LeaseService.LeaseException;
import dev.agentsessions.session.lifecycle.LeaseService.LeaseRequest;

/** Leases, and what is written under them, under others and under none. */
interface LeaseContract extends StoreUnderTest {

	@Test
	default void storesWhatComesUnderTheLease() {
		SessionKey key = newSession();
		Precondition lease = lease(key, "a", true);
		assertThat(append(key, "e1", lease).replayed()).isFalse();
		assertThat(store().appendAll(key, List.of(Events.id("e2"), Events.id("e3")), lease).version().revision())
			.isEqualTo(3);
		store().updateDetails(key, new SessionDetails("Holiday", null), lease);
		assertThat(append(key, "e4", new Precondition(3L, null).under(lease.lease())).version().revision())
			.isEqualTo(4);
	}

	@Test
	default void storesNothingThatComesUnderALeaseThatIsGone() {
		SessionKey key = newSession();
		Precondition released = lease(key, "a", false);
		append(key, "e1", released);
		store().release(key, released.lease());
		assertRefused(key, released);
		Precondition other = lease(key, "b", false);
		assertRefused(key, released);
		lease(key, "b", false);
		assertRefused(key, other);
		assertRefused(key, Precondition.NONE.under(0L));
		assertRefused(newSession(), released);
	}

	/** A retry after a lost answer must succeed, and stores nothing. */
	@Test
	default void answersAReplayWhoeverHasTheLease() {
		SessionKey key = newSession();
		Precondition lease = lease(key, "a", false);
		append(key, "e1", lease);
		store().release(key, lease.lease());
		lease(key, "b", true);
		assertThat(append(key, "e1", lease).replayed()).isTrue();
		assertThat(append(key, "e1", Precondition.NONE).replayed()).isTrue();
		assertThat(store().appendAll(key, List.of(Events.id("e1")), lease).replayed()).isTrue();
		assertConflict("e1",
				() -> store().append(key, new AppendRequest(Events.event("{\"id\":\"e1\",\"author\":\"x\"}"), lease)));
		assertLost(() -> store().appendAll(key, List.of(Events.id("e1"), Events.id("e2")), lease));
		assertThat(read(key).revision()).isEqualTo(1);
	}

	@Test
	default void storesWhatComesUnderNoLeaseUnlessItIsExclusive() {
		SessionKey key = newSession();
		Precondition lease = lease(key, "a", false);
		append(key, "e1", Precondition.NONE);
		Precondition exclusive = lease(key, "a", true);
		assertBusy("a", () -> append(key, "e2", Precondition.NONE));
		assertBusy("a", () -> append(key, "e2", new Precondition(0L, null)));
		assertBusy("a", () -> store().appendAll(key, List.of(Events.id("e2")), Precondition.NONE));
		assertBusy("a", () -> store().appendAll(key, List.of(Events.id("e1"), Events.id("e2")), Precondition.NONE));
		assertLost(() -> append(key, "e2", lease));
		store().updateDetails(key, new SessionDetails("Holiday", null), Precondition.NONE);
		assertThat(append(key, "e2", exclusive).version().revision()).isEqualTo(2);
		store().appendAll(key, List.of(Events.id("e2"), Events.id("e3")), exclusive);
		store().release(key, exclusive.lease());
		assertThat(append(key, "e4", Precondition.NONE).version().revision()).isEqualTo(4);
	}

	@Test
	default void saysThatTheLeaseIsGoneBeforeItSaysThatTheSessionIsStale() {
		SessionKey key = newSession();
		Precondition lease = lease(key, "a", false);
		store(key, Events.id("e1"));
		assertStale(read(key), 0, () -> append(key, "e2", new Precondition(0L, null).under(lease.lease())));
		store().release(key, lease.lease());
		assertLost(() -> append(key, "e2", new Precondition(0L, null).under(lease.lease())));
	}

	@Test
	default void grantsItToOneAfterTheOther() {
		SessionKey key = newSession();
		Lease first = store().acquire(key, by("a", false), Precondition.NONE);
		assertThat(first.holder()).isEqualTo("a");
		assertBusy("a", () -> store().acquire(key, by("b", false), Precondition.NONE));
		assertThat(store().acquire(key, by("a", true), Precondition.NONE.under(first.number())))
			.returns(first.number(), Lease::number)
			.returns(true, Lease::exclusive);
		store().release(key, first.number());
		store().release(key, first.number());
		Lease second = store().acquire(key, by("b", false), Precondition.NONE);
		assertThat(second.number()).isGreaterThan(first.number());
		store().release(key, first.number());
		assertBusy("b", () -> store().acquire(key, by("a", false), Precondition.NONE));
		assertLost(() -> store().acquire(key, by("a", false), Precondition.NONE.under(first.number())));
	}

	@Test
	default void grantsItOnlyForTheSessionThatIsMeant() {
		SessionKey key = newSession();
		Session before = read(key);
		store(key, Events.id("e1"));
		assertStale(read(key), 0,
				() -> store().acquire(key, by("a", false), Precondition.of(before.version()).withoutDetails()));
		store().acquire(key, by("b", false), Precondition.of(read(key).version()));
		assertBusy("b", () -> store().acquire(key, by("a", false), new Precondition(0L, null)));
	}

	@Test
	default void changesNothingElseOfTheSession() {
		SessionKey key = newSession();
		store(key, Events.delta("{\"a\":1}"));
		Session before = read(key);
		Precondition lease = lease(key, "a", true);
		assertThat(read(key)).usingRecursiveComparison().isEqualTo(before);
		store().release(key, lease.lease());
		assertThat(read(key)).usingRecursiveComparison().isEqualTo(before);
	}

	@Test
	default void hasNoLeaseOfASessionThatIsNotThere() {
		SessionKey missing = Sessions.newKey();
		assertNotFound(() -> store().acquire(missing, by("a", false), Precondition.NONE));
		assertNotFound(() -> store().release(missing, 7));
		SessionKey expired = newSession();
		Precondition lease = lease(expired, "a", false);
		store().updateDetails(expired, new SessionDetails(null, null, Instant.EPOCH), lease);
		assertNotFound(() -> store().acquire(expired, by("a", false), lease));
		assertNotFound(() -> append(expired, "e1", lease));
		assertNotFound(() -> store().release(expired, lease.lease()));
	}

	/** The number must fit no other session, or a holder that slept would write to it. */
	@Test
	default void leaseEndsWithItsSession() {
		SessionKey key = newSession();
		Precondition old = lease(key, "a", true);
		store().delete(key, Precondition.NONE);
		store().create(Sessions.empty(key));
		assertLost(() -> append(key, "e1", old));
		append(key, "e1", Precondition.NONE);
		assertThat(lease(key, "b", false).lease()).isNotEqualTo(old.lease());
		assertLost(() -> append(key, "e2", old));
	}

	@Test
	default void deletesUnderALeaseOnlyWhileItIsHeld() {
		SessionKey key = newSession();
		Precondition lease = lease(key, "a", false);
		Precondition later = lease(key, "a", true);
		assertLost(() -> store().delete(key, lease));
		store().delete(key, later);
		assertThat(store().find(key, EventWindow.NONE)).isEmpty();
		store().delete(key, later);
	}

	@Test
	default void leavesSharedStateAndOtherSessionsAlone() {
		SessionKey key = newSession();
		lease(key, "a", true);
		SessionKey sibling = Sessions.sibling(key, "s2");
		store().create(Sessions.empty(sibling));
		store(sibling, Events.delta("{\"user:a\":1}"));
		assertThat(store().changeState(key.user(), Sessions.state("{\"b\":2}"))).hasSize(2);
	}

	private void assertRefused(SessionKey key, Precondition lease) {
		Session before = read(key);
		assertLost(() -> append(key, "late", lease));
		assertLost(() -> store().append(key,
				new AppendRequest(Events.id("late"), lease, new SessionDetails("Holiday", Map.of()))));
		assertLost(() -> store().appendAll(key, List.of(Events.id("late"), Events.id("later")), lease));
		assertLost(() -> store().updateDetails(key, new SessionDetails("Holiday", null), lease));
		assertLost(() -> store().delete(key, lease));
		assertThat(read(key)).usingRecursiveComparison().isEqualTo(before);
	}

	private AppendResult append(SessionKey key, String id, Precondition precondition) {
		return store().append(key, new AppendRequest(Events.id(id), precondition));
	}

	private Precondition lease(SessionKey key, String holder, boolean exclusive) {
		return Precondition.NONE.under(store().acquire(key, by(holder, exclusive), Precondition.NONE).number());
	}

	private static LeaseRequest by(String holder, boolean exclusive) {
		return new LeaseRequest(holder, Duration.ofMinutes(10), exclusive);
	}

	private static void assertLost(ThrowingCallable action) {
		assertThatExceptionOfType(LeaseException.Lost.class).isThrownBy(action);
	}

	private static void assertBusy(String holder, ThrowingCallable action) {
		assertThatExceptionOfType(LeaseException.Busy.class).isThrownBy(action)
			.satisfies((busy) -> assertThat(busy.details()).containsEntry("holder", holder));
	}

}
