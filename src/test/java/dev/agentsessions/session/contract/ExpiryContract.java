package dev.agentsessions.session.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Instant;
import java.util.Map;

import org.junit.jupiter.api.Test;

import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.lifecycle.SessionQuery;
import dev.agentsessions.session.lifecycle.SessionQuery.Filter;
import dev.agentsessions.session.lifecycle.SessionQuery.Order;

/** Sessions that end. */
public interface ExpiryContract extends StoreUnderTest {

	/** A time that does not come while the test runs. */
	Instant LATER = Instant.parse("2999-01-01T00:00:00.123456Z");

	@Test
	default void keepsASessionUntilItsEnd() {
		SessionName name = Sessions.newKey();
		store().create(Sessions.until(name, LATER));
		store(name, Events.delta("{\"a\":1}"));
		assertThat(read(name).details().expireTime()).isEqualTo(LATER);
	}

	@Test
	default void findsNothingOfASessionThatHasExpired() {
		SessionName name = expired();
		assertThat(store().find(name, EventWindow.ALL)).isEmpty();
		assertThat(store().events(name, EventsContract.WHOLE)).isEmpty();
		assertThat(store().timeline(name, TimelineContract.WHOLE)).isEmpty();
		assertThat(store().event(name, "e1")).isEmpty();
		assertThat(
				store().list(SessionQuery.of(name.app(), Order.USER, false, 10, new Filter(null, Map.of(), true), true))
					.items())
			.isEmpty();
	}

	@Test
	default void changesNothingOfASessionThatHasExpired() {
		SessionName name = expired();
		assertNotFound(() -> store().append(name, Events.append(Events.id("e1"))));
		assertThatExceptionOfType(SessionException.NotFound.class)
			.isThrownBy(() -> store().updateDetails(name, new SessionDetails("Holiday", null), Precondition.NONE));
	}

	@Test
	default void endsASessionThatIsThere() {
		SessionName name = newSession();
		store().updateDetails(name, new SessionDetails(null, null, Instant.EPOCH), Precondition.NONE);
		assertThat(store().find(name, EventWindow.NONE)).isEmpty();
	}

	@Test
	default void keepsASessionForGoodAgain() {
		SessionName name = Sessions.newKey();
		store().create(Sessions.until(name, LATER));
		store().updateDetails(name, new SessionDetails("Holiday", null), Precondition.NONE);
		assertThat(read(name).details().expireTime()).isEqualTo(LATER);
		store().updateDetails(name, new SessionDetails(null, null, SessionDetails.NEVER), Precondition.NONE);
		assertThat(read(name).details().expireTime()).isNull();
	}

	@Test
	default void startsAnewWhereASessionHasExpired() {
		SessionName name = newSession();
		store(name, Events
			.event("{\"id\":\"e1\",\"author\":\"agent\",\"actions\":{\"stateDelta\":{\"a\":1,\"user:b\":2}}}"));
		store().updateDetails(name, new SessionDetails("Holiday", null, Instant.EPOCH), Precondition.NONE);
		store().create(Sessions.empty(name));
		assertThat(read(name).events()).isEmpty();
		assertThat(read(name).details()).isEqualTo(SessionDetails.NONE);
		assertThat(stateOf(name)).isEqualTo(Sessions.state("{\"user:b\":2}"));
	}

	private SessionName expired() {
		SessionName name = Sessions.newKey();
		store().create(Sessions.until(name, Instant.EPOCH));
		return name;
	}

}
