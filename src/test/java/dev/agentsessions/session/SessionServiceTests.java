package dev.agentsessions.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.springframework.util.unit.DataSize;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the service adds to a store. */
class SessionServiceTests {

	private final SessionStore store = new InMemorySessionStore();

	private final SessionService service = service(this.store, false);

	private final SessionService strictService = service(this.store, true);

	private final SessionKey key = this.service.create(Sessions.with(Sessions.newKey(), "{\"a\":1}")).key();

	@Test
	void appendsAnEvent() {
		NewEvent event = Events.id("e1");
		AppendResult appended = this.service.append(this.key, Events.append(event));
		Session session = this.service.get(this.key, EventWindow.ALL);
		assertThat(appended)
			.isEqualTo(new AppendResult(event.body(), session.version(), session.lastUpdateTime(), true, false));
	}

	@Test
	void answersAReplayWithWhatWasTrueThen() {
		NewEvent event = Events.id("e1");
		AppendResult first = this.service.append(this.key, Events.append(event));
		this.service.append(this.key, Events.append(Events.id("e2")));
		assertThat(this.service.append(this.key, Events.append(event)))
			.isEqualTo(new AppendResult(event.body(), first.version(), first.lastUpdateTime(), true, true));
	}

	@Test
	void answersAPartialEventWithoutStoringIt() {
		Session before = this.service.get(this.key, EventWindow.ALL);
		NewEvent partial = Events.event("{\"id\":\"e1\",\"partial\":true,\"actions\":{\"stateDelta\":{\"app:a\":2}}}");
		assertThat(this.service.append(this.key, Events.append(partial, 7)))
			.isEqualTo(new AppendResult(partial.body(), before.version(), before.lastUpdateTime(), false, false));
		assertThat(this.service.get(this.key, EventWindow.ALL)).usingRecursiveComparison().isEqualTo(before);
		assertThatExceptionOfType(SessionException.NotFound.class)
			.isThrownBy(() -> this.service.append(Sessions.newKey(), Events.append(partial)));
	}

	@Test
	void refusesAStaleAppendWithWhatToReadNext() {
		this.service.append(this.key, Events.append(Events.id("e1")));
		AppendResult second = this.service.append(this.key, Events.append(Events.id("e2")));
		AppendRequest late = Events.append(Events.id("e3"), 1);
		assertThatExceptionOfType(SessionException.Stale.class).isThrownBy(() -> this.service.append(this.key, late))
			.satisfies((stale) -> assertThat(stale.version().revision()).isEqualTo(2))
			.satisfies((stale) -> assertThat(stale.seenRevision()).isEqualTo(1))
			.satisfies((stale) -> assertThat(stale.lastUpdateTime()).isEqualTo(second.lastUpdateTime()))
			.satisfies((stale) -> assertThat(stale.precondition()).isEqualTo(late.precondition()));
	}

	@Test
	void refusesOtherContentWithATakenId() {
		this.service.append(this.key, Events.append(Events.id("e1")));
		AppendRequest other = Events.append(Events.event("{\"id\":\"e1\",\"author\":\"other\"}"));
		assertThatExceptionOfType(SessionException.EventIdConflict.class)
			.isThrownBy(() -> this.service.append(this.key, other))
			.withMessageContaining("'e1'");
	}

	@Test
	void requiresAPreconditionIfItIsToldTo() {
		assertThatExceptionOfType(SessionException.PreconditionRequired.class)
			.isThrownBy(() -> this.strictService.append(this.key, Events.append(Events.id("e1"))));
		assertThatExceptionOfType(SessionException.PreconditionRequired.class)
			.isThrownBy(() -> this.strictService.appendAll(this.key, List.of(Events.id("e1")), Precondition.NONE));
		assertThat(this.service.get(this.key, EventWindow.ALL).revision()).isZero();
		assertThat(this.strictService.append(this.key, Events.append(Events.id("e1"), 0)).version().revision())
			.isEqualTo(1);
	}

	@Test
	void appendsABatchWithoutItsPartialEvents() {
		NewEvent partial = Events.event("{\"id\":\"e2\",\"partial\":true}");
		List<NewEvent> events = List.of(Events.id("e1"), partial, Events.id("e3"));
		BatchAppendResult appended = this.service.appendAll(this.key, events, Precondition.NONE);
		assertThat(appended.events()).isEqualTo(events.stream().map(NewEvent::body).toList());
		assertThat(appended.version().revision()).isEqualTo(2);
		assertThat(appended.replayed()).isFalse();
		assertThat(this.service.appendAll(this.key, events, Precondition.NONE).replayed()).isTrue();
	}

	@Test
	void answersABatchOfPartialEventsWithoutStoringIt() {
		NewEvent partial = Events.event("{\"id\":\"e2\",\"partial\":true}");
		BatchAppendResult appended = this.service.appendAll(this.key, List.of(partial), Precondition.NONE);
		assertThat(appended.events()).containsExactly(partial.body());
		assertThat(appended.version().revision()).isZero();
		assertThat(this.service.get(this.key, EventWindow.ALL).events()).isEmpty();
	}

	@Test
	void refusesABatchWithOneIdTwice() {
		List<NewEvent> events = List.of(Events.id("e1"), Events.id("e2"), Events.id("e1"));
		assertThatExceptionOfType(SessionException.EventIdConflict.class)
			.isThrownBy(() -> this.service.appendAll(this.key, events, Precondition.NONE));
		assertThat(this.service.get(this.key, EventWindow.ALL).events()).isEmpty();
	}

	@Test
	void tellsWhatIsMissing() {
		SessionKey missing = Sessions.newKey();
		assertThatExceptionOfType(SessionException.NotFound.class)
			.isThrownBy(() -> this.service.get(missing, EventWindow.ALL));
		assertThatExceptionOfType(SessionException.NotFound.class)
			.isThrownBy(() -> this.service.append(missing, Events.append(Events.id("e1"))));
		assertThatExceptionOfType(SessionException.NotFound.class)
			.isThrownBy(() -> this.service.events(missing, EventsContract.WHOLE));
		assertThatExceptionOfType(SessionException.EventNotFound.class)
			.isThrownBy(() -> this.service.event(missing, "e1"));
		assertThatExceptionOfType(SessionException.EventNotFound.class)
			.isThrownBy(() -> this.service.event(this.key, "e1"));
	}

	@Test
	void changesSharedState() {
		StateOwner user = this.key.user();
		assertThat(this.service.changeState(user, Sessions.state("{\"a\":2,\"b\":" + Events.REMOVED + "}")))
			.isEqualTo(Sessions.state("{\"a\":2}"));
		assertThat(this.service.state(user)).isEqualTo(Sessions.state("{\"a\":2}"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "app:a", "user:a", "temp:a" })
	void refusesPrefixesInSharedState(String name) {
		assertThatExceptionOfType(SessionException.InvalidArgument.class)
			.isThrownBy(() -> this.service.changeState(this.key.app(), Sessions.state("{\"b\":1,\"" + name + "\":2}")))
			.withMessageStartingWith(name);
		assertThat(this.service.state(this.key.app())).isEmpty();
	}

	@Test
	void deletesWhatIsThere() {
		this.service.delete(this.key, Precondition.NONE);
		this.service.delete(this.key, Precondition.NONE);
		assertThatExceptionOfType(SessionException.NotFound.class)
			.isThrownBy(() -> this.service.get(this.key, EventWindow.ALL));
	}

	private static SessionService service(SessionStore store, boolean requirePrecondition) {
		LimitProperties limits = new LimitProperties(DataSize.ofMegabytes(1), 1000, 1000, DataSize.ofMegabytes(1),
				DataSize.ofKilobytes(8), DataSize.ofKilobytes(64), 1000);
		return new SessionService(store, new SessionProperties(requirePrecondition), new Everybody(),
				new Limits(limits));
	}

	/** Lets everybody do everything. */
	private static final class Everybody implements AccessPolicy {

		@Override
		public void check(Access access, SessionKey key) {
		}

		@Override
		public void check(Access access, StateOwner owner) {
		}

		@Override
		public void checkRole(Access access, String appName) {
		}

		@Override
		public String caller() {
			return "anybody";
		}

		@Override
		public Optional<String> onlyUser() {
			return Optional.empty();
		}

		@Override
		public boolean knows(String appName) {
			return true;
		}

	}

}
