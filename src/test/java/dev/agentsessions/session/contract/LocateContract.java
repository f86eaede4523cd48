package dev.agentsessions.session.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;

import org.junit.jupiter.api.Test;

import dev.agentsessions.session.SessionKey;

/** Finding sessions by their id alone. */
interface LocateContract extends StoreUnderTest {

	@Test
	default void locatesASessionByItsId() {
		SessionKey key = newSession();
		store().create(Sessions.empty(Sessions.sibling(key, "s2")));
		assertThat(store().locate(key.appName(), "s1")).containsExactly(key);
	}

	@Test
	default void locatesNothingThatIsNotThere() {
		SessionKey key = newSession();
		assertThat(store().locate(key.appName(), "S1")).isEmpty();
		assertThat(store().locate(Sessions.newApp(), "s1")).isEmpty();
		assertThat(store().locate(key.appName(), "")).isEmpty();
	}

	@Test
	default void locatesTheSessionsOfMoreThanOneUser() {
		SessionKey key = newSession();
		for (String user : new String[] { "bob", "carol" }) {
			store().create(Sessions.empty(Sessions.ofUser(key, user)));
		}
		assertThat(store().locate(key.appName(), "s1")).hasSize(2);
	}

	@Test
	default void locatesNoSessionThatHasExpired() {
		SessionKey key = newSession();
		store().create(Sessions.until(Sessions.ofUser(key, "bob"), Instant.EPOCH));
		assertThat(store().locate(key.appName(), "s1")).containsExactly(key);
	}

}
