package dev.agentsessions.session.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;

import org.junit.jupiter.api.Test;

import dev.agentsessions.session.SessionName;

/** Finding sessions by their id alone. */
interface LocateContract extends StoreUnderTest {

	@Test
	default void locatesASessionByItsId() {
		SessionName name = newSession();
		store().create(Sessions.empty(Sessions.sibling(name, "s2")));
		assertThat(store().locate(name.appName(), "s1")).containsExactly(name);
	}

	@Test
	default void locatesNothingThatIsNotThere() {
		SessionName name = newSession();
		assertThat(store().locate(name.appName(), "S1")).isEmpty();
		assertThat(store().locate(Sessions.newApp(), "s1")).isEmpty();
		assertThat(store().locate(name.appName(), "")).isEmpty();
	}

	@Test
	default void locatesTheSessionsOfMoreThanOneUser() {
		SessionName name = newSession();
		for (String user : new String[] { "bob", "carol" }) {
			store().create(Sessions.empty(Sessions.ofUser(name, user)));
		}
		assertThat(store().locate(name.appName(), "s1")).hasSize(2);
	}

	@Test
	default void locatesNoSessionThatHasExpired() {
		SessionName name = newSession();
		store().create(Sessions.until(Sessions.ofUser(name, "bob"), Instant.EPOCH));
		assertThat(store().locate(name.appName(), "s1")).containsExactly(name);
	}

}
