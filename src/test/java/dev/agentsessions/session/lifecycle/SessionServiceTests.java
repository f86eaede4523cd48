package dev.agentsessions.session.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.UUID;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.util.unit.DataSize;

import dev.agentsessions.postgres.PostgresTest;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionListener;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.SessionProperties.LimitProperties;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.contract.Events;
import dev.agentsessions.session.contract.Sessions;
import dev.agentsessions.session.contract.Stores;
import dev.agentsessions.session.event.Limits;

/** What the service adds to a store. */
@PostgresTest
public class SessionServiceTests {

	public static final Limits LIMITS = new Limits(
			new LimitProperties(DataSize.ofMegabytes(1), 1000, 1000, DataSize.ofMegabytes(1), DataSize.ofKilobytes(8),
					DataSize.ofKilobytes(64), DataSize.ofMegabytes(1), 1000, 1));

	/** Wants to know nothing. */
	public static final SessionListener NO_LISTENER = (name) -> {
	};

	private final SessionService service;

	private final SessionName name;

	SessionServiceTests(Stores store) {
		this.service = store.sessions(LIMITS, NO_LISTENER);
		this.name = this.service.create(Sessions.with(Sessions.newKey(), "{\"a\":1}")).session().name();
	}

	@Test
	void tellsWhatIsMissing() {
		assertThatExceptionOfType(SessionException.NotFound.class)
			.isThrownBy(() -> this.service.get(Sessions.newKey(), EventWindow.ALL));
	}

	@Test
	void changesSharedState() {
		StateOwner user = this.name.user();
		assertThat(this.service.changeState(user, Sessions.state("{\"a\":2,\"b\":" + Events.REMOVED + "}")))
			.isEqualTo(Sessions.state("{\"a\":2}"));
		assertThat(this.service.state(user)).isEqualTo(Sessions.state("{\"a\":2}"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "app:a", "user:a", "temp:a" })
	void refusesPrefixesInSharedState(String name) {
		assertThatExceptionOfType(SessionException.InvalidArgument.class)
			.isThrownBy(() -> this.service.changeState(this.name.app(), Sessions.state("{\"b\":1,\"" + name + "\":2}")))
			.withMessageStartingWith(name);
		assertThat(this.service.state(this.name.app())).isEmpty();
	}

	@Test
	void readsNoOtherSessionOfTheSameName() {
		UUID sessionKey = this.service.get(this.name, EventWindow.NONE).sessionKey();
		assertThat(this.service.get(this.name, sessionKey, EventWindow.NONE).sessionKey()).isEqualTo(sessionKey);
		this.service.delete(this.name, Precondition.NONE);
		this.service.create(Sessions.with(this.name, "{}"));
		assertThatExceptionOfType(SessionException.NotFound.class)
			.isThrownBy(() -> this.service.get(this.name, sessionKey, EventWindow.NONE));
	}

	@Test
	void deletesWhatIsThere() {
		this.service.delete(this.name, Precondition.NONE);
		this.service.delete(this.name, Precondition.NONE);
		assertThatExceptionOfType(SessionException.NotFound.class)
			.isThrownBy(() -> this.service.get(this.name, EventWindow.ALL));
	}

}
