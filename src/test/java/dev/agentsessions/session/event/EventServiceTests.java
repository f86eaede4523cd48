package dev.agentsessions.session.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

import org.junit.jupiter.api.Test;

import dev.agentsessions.postgres.PostgresTest;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.SessionProperties;
import dev.agentsessions.session.contract.Events;
import dev.agentsessions.session.contract.EventsContract;
import dev.agentsessions.session.contract.Sessions;
import dev.agentsessions.session.contract.Stores;
import dev.agentsessions.session.event.AppendResult.BatchAppendResult;
import dev.agentsessions.session.event.EventService.AppendRequest;
import dev.agentsessions.session.lifecycle.SessionService;
import dev.agentsessions.session.lifecycle.SessionServiceTests;

/** What the service of events adds to a store. */
@PostgresTest
class EventServiceTests {

	private final Stores store;

	/** What somebody sees who looks when they are told to. */
	private final List<Long> revisionsToWatch = new ArrayList<>();

	private final SessionService sessions;

	private final EventService events;

	private final EventService strictEvents;

	private final SessionName name;

	EventServiceTests(Stores store) {
		this.store = store;
		this.sessions = store.sessions(SessionServiceTests.LIMITS, this::watch);
		this.events = store.events(new SessionProperties(false), SessionServiceTests.LIMITS, this::watch);
		this.strictEvents = store.events(new SessionProperties(true), SessionServiceTests.LIMITS, this::watch);
		this.name = this.sessions.create(Sessions.with(Sessions.newKey(), "{\"a\":1}")).session().name();
	}

	@Test
	void appendsAnEvent() {
		NewEvent event = Events.id("e1");
		AppendResult appended = this.events.append(this.name, Events.append(event));
		Session session = this.sessions.get(this.name, EventWindow.ALL);
		assertThat(appended).isEqualTo(new AppendResult(event.body(), session.version(), true, false));
	}

	@Test
	void answersAReplayWithWhatWasTrueThen() {
		NewEvent event = Events.id("e1");
		AppendResult first = this.events.append(this.name, Events.append(event));
		this.events.append(this.name, Events.append(Events.id("e2")));
		assertThat(this.events.append(this.name, Events.append(event)))
			.isEqualTo(new AppendResult(event.body(), first.version(), true, true));
	}

	@Test
	void answersAPartialEventWithoutStoringIt() {
		Session before = this.sessions.get(this.name, EventWindow.ALL);
		NewEvent partial = Events.event("{\"id\":\"e1\",\"partial\":true,\"actions\":{\"stateDelta\":{\"app:a\":2}}}");
		assertThat(this.events.append(this.name, Events.append(partial, 7)))
			.isEqualTo(new AppendResult(partial.body(), before.version(), false, false));
		assertThat(this.sessions.get(this.name, EventWindow.ALL)).usingRecursiveComparison().isEqualTo(before);
		assertThatExceptionOfType(SessionException.NotFound.class)
			.isThrownBy(() -> this.events.append(Sessions.newKey(), Events.append(partial)));
	}

	@Test
	void refusesAStaleAppendWithWhatToReadNext() {
		this.events.append(this.name, Events.append(Events.id("e1")));
		AppendResult second = this.events.append(this.name, Events.append(Events.id("e2")));
		AppendRequest late = Events.append(Events.id("e3"), 1);
		assertThatExceptionOfType(SessionException.Stale.class).isThrownBy(() -> this.events.append(this.name, late))
			.satisfies((stale) -> assertThat(stale.version().revision()).isEqualTo(2))
			.satisfies((stale) -> assertThat(stale.seenRevision()).isEqualTo(1))
			.satisfies((stale) -> assertThat(stale.lastUpdateTime()).isEqualTo(second.lastUpdateTime()))
			.satisfies((stale) -> assertThat(stale.precondition()).isEqualTo(late.precondition()));
	}

	@Test
	void refusesOtherContentWithATakenId() {
		this.events.append(this.name, Events.append(Events.id("e1")));
		AppendRequest other = Events.append(Events.event("{\"id\":\"e1\",\"author\":\"other\"}"));
		assertThatExceptionOfType(SessionException.EventIdConflict.class)
			.isThrownBy(() -> this.events.append(this.name, other))
			.withMessageContaining("'e1'");
	}

	@Test
	void requiresAPreconditionIfItIsToldTo() {
		assertThatExceptionOfType(SessionException.PreconditionRequired.class)
			.isThrownBy(() -> this.strictEvents.append(this.name, Events.append(Events.id("e1"))));
		assertThatExceptionOfType(SessionException.PreconditionRequired.class)
			.isThrownBy(() -> this.strictEvents.appendAll(this.name, List.of(Events.id("e1")), Precondition.NONE));
		assertThat(this.sessions.get(this.name, EventWindow.ALL).revision()).isZero();
		assertThat(this.strictEvents.append(this.name, Events.append(Events.id("e1"), 0)).version().revision())
			.isEqualTo(1);
	}

	@Test
	void appendsABatchWithoutItsPartialEvents() {
		NewEvent partial = Events.event("{\"id\":\"e2\",\"partial\":true}");
		List<NewEvent> events = List.of(Events.id("e1"), partial, Events.id("e3"));
		BatchAppendResult appended = this.events.appendAll(this.name, events, Precondition.NONE);
		assertThat(appended.events()).isEqualTo(events.stream().map(NewEvent::body).toList());
		assertThat(appended.version().revision()).isEqualTo(2);
		assertThat(appended.replayed()).isFalse();
		assertThat(this.events.appendAll(this.name, events, Precondition.NONE).replayed()).isTrue();
	}

	@Test
	void answersABatchOfPartialEventsWithoutStoringIt() {
		NewEvent partial = Events.event("{\"id\":\"e2\",\"partial\":true}");
		BatchAppendResult appended = this.events.appendAll(this.name, List.of(partial), Precondition.NONE);
		assertThat(appended.events()).containsExactly(partial.body());
		assertThat(appended.version().revision()).isZero();
		assertThat(this.sessions.get(this.name, EventWindow.ALL).events()).isEmpty();
	}

	@Test
	void refusesABatchWithOneIdTwice() {
		List<NewEvent> events = List.of(Events.id("e1"), Events.id("e2"), Events.id("e1"));
		assertThatExceptionOfType(SessionException.EventIdConflict.class)
			.isThrownBy(() -> this.events.appendAll(this.name, events, Precondition.NONE));
		assertThat(this.sessions.get(this.name, EventWindow.ALL).events()).isEmpty();
	}

	@Test
	void tellsWhatIsMissing() {
		SessionName missing = Sessions.newKey();
		assertThatExceptionOfType(SessionException.NotFound.class)
			.isThrownBy(() -> this.events.append(missing, Events.append(Events.id("e1"))));
		assertThatExceptionOfType(SessionException.NotFound.class)
			.isThrownBy(() -> this.events.list(missing, EventsContract.WHOLE, UnaryOperator.identity()));
		assertThatExceptionOfType(SessionException.EventNotFound.class)
			.isThrownBy(() -> this.events.get(missing, "e1"));
		assertThatExceptionOfType(SessionException.EventNotFound.class)
			.isThrownBy(() -> this.events.get(this.name, "e1"));
	}

	@Test
	void tellsWhoWatchesAfterEachAppend() {
		this.events.append(this.name, Events.append(Events.id("e1")));
		this.events.appendAll(this.name, List.of(Events.id("e2"), Events.id("e3")), Precondition.NONE);
		assertThat(this.revisionsToWatch).containsExactly(1L, 3L);
		this.sessions.delete(this.name, Precondition.NONE);
		assertThat(this.revisionsToWatch).containsExactly(1L, 3L, -1L);
	}

	private void watch(SessionName changed) {
		this.revisionsToWatch.add(this.store.find(changed, EventWindow.NONE).map(Session::revision).orElse(-1L));
	}

}
