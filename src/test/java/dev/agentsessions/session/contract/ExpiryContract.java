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
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.lifecycle.SessionQuery;
import dev.agentsessions.session.lifecycle.SessionQuery.Filter;
import dev.agentsessions.session.lifecycle.SessionQuery.Order;

/** Sessions that end. */
public interface ExpiryContract extends StoreUnderTest {

	/** A time that does not come while the test runs. */
	Instant LATER = Instant.parse("2999-01-01T00:00:00.123456Z");

	@Test
	default void keepsASessionUntilItsEnd() {
		SessionKey key = Sessions.newKey();
		store().create(Sessions.until(key, LATER));
		store(key, Events.delta("{\"a\":1}"));
		assertThat(read(key).details().expireTime()).isEqualTo(LATER);
	}

	@Test
	default void findsNothingOfASessionThatHasExpired() {
		SessionKey key = expired();
		assertThat(store().find(key, EventWindow.ALL)).isEmpty();
		assertThat(store().events(key, EventsContract.WHOLE)).isEmpty();
		assertThat(store().timeline(key, TimelineContract.WHOLE)).isEmpty();
		assertThat(store().event(key, "e1")).isEmpty();
		assertThat(
				store().list(SessionQuery.of(key.app(), Order.USER, false, 10, new Filter(null, Map.of(), true), true))
					.items())
			.isEmpty();
	}

	@Test
	default void changesNothingOfASessionThatHasExpired() {
		SessionKey key = expired();
		assertNotFound(() -> store().append(key, Events.append(Events.id("e1"))));
		assertThatExceptionOfType(SessionException.NotFound.class)
			.isThrownBy(() -> store().updateDetails(key, new SessionDetails("Holiday", null), Precondition.NONE));
	}

	@Test
	default void endsASessionThatIsThere() {
		SessionKey key = newSession();
		store().updateDetails(key, new SessionDetails(null, null, Instant.EPOCH), Precondition.NONE);
		assertThat(store().find(key, EventWindow.NONE)).isEmpty();
	}

	@Test
	default void keepsASessionForGoodAgain() {
		SessionKey key = Sessions.newKey();
		store().create(Sessions.until(key, LATER));
		store().updateDetails(key, new SessionDetails("Holiday", null), Precondition.NONE);
		assertThat(read(key).details().expireTime()).isEqualTo(LATER);
		store().updateDetails(key, new SessionDetails(null, null, SessionDetails.NEVER), Precondition.NONE);
		assertThat(read(key).details().expireTime()).isNull();
	}

	@Test
	default void startsAnewWhereASessionHasExpired() {
		SessionKey key = newSession();
		store(key, Events
			.event("{\"id\":\"e1\",\"author\":\"agent\",\"actions\":{\"stateDelta\":{\"a\":1,\"user:b\":2}}}"));
		store().updateDetails(key, new SessionDetails("Holiday", null, Instant.EPOCH), Precondition.NONE);
		store().create(Sessions.empty(key));
		assertThat(read(key).events()).isEmpty();
		assertThat(read(key).details()).isEqualTo(SessionDetails.NONE);
		assertThat(stateOf(key)).isEqualTo(Sessions.state("{\"user:b\":2}"));
	}

	private SessionKey expired() {
		SessionKey key = Sessions.newKey();
		store().create(Sessions.until(key, Instant.EPOCH));
		return key;
	}

}
