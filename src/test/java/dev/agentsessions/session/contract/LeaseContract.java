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
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.event.AppendResult;
import dev.agentsessions.session.event.EventService.AppendRequest;
import dev.agentsessions.session.lifecycle.LeaseService.Lease;
import dev.agentsessions.session.lifecycle.LeaseService.LeaseException;
import dev.agentsessions.session.lifecycle.LeaseService.LeaseRequest;

/** Leases, and what is written under them, under others and under none. */
interface LeaseContract extends StoreUnderTest {

	@Test
	default void storesWhatComesUnderTheLease() {
		SessionName name = newSession();
		Precondition lease = lease(name, "a", true);
		assertThat(append(name, "e1", lease).replayed()).isFalse();
		assertThat(store().appendAll(name, List.of(Events.id("e2"), Events.id("e3")), lease).version().revision())
			.isEqualTo(3);
		store().updateDetails(name, new SessionDetails("Holiday", null), lease);
		assertThat(append(name, "e4", new Precondition(3L, null).under(lease.lease())).version().revision())
			.isEqualTo(4);
	}

	@Test
	default void storesNothingThatComesUnderALeaseThatIsGone() {
		SessionName name = newSession();
		Precondition released = lease(name, "a", false);
		append(name, "e1", released);
		store().release(name, released.lease());
		assertRefused(name, released);
		Precondition other = lease(name, "b", false);
		assertRefused(name, released);
		lease(name, "b", false);
		assertRefused(name, other);
		assertRefused(name, Precondition.NONE.under(0L));
		assertRefused(newSession(), released);
	}

	/** A retry after a lost answer must succeed, and stores nothing. */
	@Test
	default void answersAReplayWhoeverHasTheLease() {
		SessionName name = newSession();
		Precondition lease = lease(name, "a", false);
		append(name, "e1", lease);
		store().release(name, lease.lease());
		lease(name, "b", true);
		assertThat(append(name, "e1", lease).replayed()).isTrue();
		assertThat(append(name, "e1", Precondition.NONE).replayed()).isTrue();
		assertThat(store().appendAll(name, List.of(Events.id("e1")), lease).replayed()).isTrue();
		assertConflict("e1",
				() -> store().append(name, new AppendRequest(Events.event("{\"id\":\"e1\",\"author\":\"x\"}"), lease)));
		assertLost(() -> store().appendAll(name, List.of(Events.id("e1"), Events.id("e2")), lease));
		assertThat(read(name).revision()).isEqualTo(1);
	}

	@Test
	default void storesWhatComesUnderNoLeaseUnlessItIsExclusive() {
		SessionName name = newSession();
		Precondition lease = lease(name, "a", false);
		append(name, "e1", Precondition.NONE);
		Precondition exclusive = lease(name, "a", true);
		assertBusy("a", () -> append(name, "e2", Precondition.NONE));
		assertBusy("a", () -> append(name, "e2", new Precondition(0L, null)));
		assertBusy("a", () -> store().appendAll(name, List.of(Events.id("e2")), Precondition.NONE));
		assertBusy("a", () -> store().appendAll(name, List.of(Events.id("e1"), Events.id("e2")), Precondition.NONE));
		assertLost(() -> append(name, "e2", lease));
		store().updateDetails(name, new SessionDetails("Holiday", null), Precondition.NONE);
		assertThat(append(name, "e2", exclusive).version().revision()).isEqualTo(2);
		store().appendAll(name, List.of(Events.id("e2"), Events.id("e3")), exclusive);
		store().release(name, exclusive.lease());
		assertThat(append(name, "e4", Precondition.NONE).version().revision()).isEqualTo(4);
	}

	@Test
	default void saysThatTheLeaseIsGoneBeforeItSaysThatTheSessionIsStale() {
		SessionName name = newSession();
		Precondition lease = lease(name, "a", false);
		store(name, Events.id("e1"));
		assertStale(read(name), 0, () -> append(name, "e2", new Precondition(0L, null).under(lease.lease())));
		store().release(name, lease.lease());
		assertLost(() -> append(name, "e2", new Precondition(0L, null).under(lease.lease())));
	}

	@Test
	default void grantsItToOneAfterTheOther() {
		SessionName name = newSession();
		Lease first = store().acquire(name, by("a", false), Precondition.NONE);
		assertThat(first.holder()).isEqualTo("a");
		assertBusy("a", () -> store().acquire(name, by("b", false), Precondition.NONE));
		assertThat(store().acquire(name, by("a", true), Precondition.NONE.under(first.number())))
			.returns(first.number(), Lease::number)
			.returns(true, Lease::exclusive);
		store().release(name, first.number());
		store().release(name, first.number());
		Lease second = store().acquire(name, by("b", false), Precondition.NONE);
		assertThat(second.number()).isGreaterThan(first.number());
		store().release(name, first.number());
		assertBusy("b", () -> store().acquire(name, by("a", false), Precondition.NONE));
		assertLost(() -> store().acquire(name, by("a", false), Precondition.NONE.under(first.number())));
	}

	@Test
	default void grantsItOnlyForTheSessionThatIsMeant() {
		SessionName name = newSession();
		Session before = read(name);
		store(name, Events.id("e1"));
		assertStale(read(name), 0,
				() -> store().acquire(name, by("a", false), Precondition.of(before.version()).withoutDetails()));
		store().acquire(name, by("b", false), Precondition.of(read(name).version()));
		assertBusy("b", () -> store().acquire(name, by("a", false), new Precondition(0L, null)));
	}

	@Test
	default void changesNothingElseOfTheSession() {
		SessionName name = newSession();
		store(name, Events.delta("{\"a\":1}"));
		Session before = read(name);
		Precondition lease = lease(name, "a", true);
		assertThat(read(name)).usingRecursiveComparison().isEqualTo(before);
		store().release(name, lease.lease());
		assertThat(read(name)).usingRecursiveComparison().isEqualTo(before);
	}

	@Test
	default void hasNoLeaseOfASessionThatIsNotThere() {
		SessionName missing = Sessions.newKey();
		assertNotFound(() -> store().acquire(missing, by("a", false), Precondition.NONE));
		assertNotFound(() -> store().release(missing, 7));
		SessionName expired = newSession();
		Precondition lease = lease(expired, "a", false);
		store().updateDetails(expired, new SessionDetails(null, null, Instant.EPOCH), lease);
		assertNotFound(() -> store().acquire(expired, by("a", false), lease));
		assertNotFound(() -> append(expired, "e1", lease));
		assertNotFound(() -> store().release(expired, lease.lease()));
	}

	/** The number must fit no other session, or a holder that slept would write to it. */
	@Test
	default void leaseEndsWithItsSession() {
		SessionName name = newSession();
		Precondition old = lease(name, "a", true);
		store().delete(name, Precondition.NONE);
		store().create(Sessions.empty(name));
		assertLost(() -> append(name, "e1", old));
		append(name, "e1", Precondition.NONE);
		assertThat(lease(name, "b", false).lease()).isNotEqualTo(old.lease());
		assertLost(() -> append(name, "e2", old));
	}

	@Test
	default void deletesUnderALeaseOnlyWhileItIsHeld() {
		SessionName name = newSession();
		Precondition lease = lease(name, "a", false);
		Precondition later = lease(name, "a", true);
		assertLost(() -> store().delete(name, lease));
		store().delete(name, later);
		assertThat(store().find(name, EventWindow.NONE)).isEmpty();
		store().delete(name, later);
	}

	@Test
	default void leavesSharedStateAndOtherSessionsAlone() {
		SessionName name = newSession();
		lease(name, "a", true);
		SessionName sibling = Sessions.sibling(name, "s2");
		store().create(Sessions.empty(sibling));
		store(sibling, Events.delta("{\"user:a\":1}"));
		assertThat(store().changeState(name.user(), Sessions.state("{\"b\":2}"))).hasSize(2);
	}

	private void assertRefused(SessionName name, Precondition lease) {
		Session before = read(name);
		assertLost(() -> append(name, "late", lease));
		assertLost(() -> store().append(name,
				new AppendRequest(Events.id("late"), lease, new SessionDetails("Holiday", Map.of()))));
		assertLost(() -> store().appendAll(name, List.of(Events.id("late"), Events.id("later")), lease));
		assertLost(() -> store().updateDetails(name, new SessionDetails("Holiday", null), lease));
		assertLost(() -> store().delete(name, lease));
		assertThat(read(name)).usingRecursiveComparison().isEqualTo(before);
	}

	private AppendResult append(SessionName name, String id, Precondition precondition) {
		return store().append(name, new AppendRequest(Events.id(id), precondition));
	}

	private Precondition lease(SessionName name, String holder, boolean exclusive) {
		return Precondition.NONE.under(store().acquire(name, by(holder, exclusive), Precondition.NONE).number());
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
