package dev.agentsessions.session.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Map;

import org.junit.jupiter.api.Test;

import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.SessionVersion;

/** Changing what people call a session. */
interface UpdateDetailsContract extends StoreUnderTest {

	@Test
	default void changesOnlyWhatIsGiven() {
		SessionKey key = newSession();
		updateDetails(key, new SessionDetails("Holiday", Map.of("a", "1")));
		updateDetails(key, new SessionDetails("Journey", null));
		assertThat(read(key).details()).isEqualTo(new SessionDetails("Journey", Map.of("a", "1")));
		updateDetails(key, new SessionDetails(null, Map.of("b", "2")));
		assertThat(read(key).details()).isEqualTo(new SessionDetails("Journey", Map.of("b", "2")));
	}

	@Test
	default void removesWhatIsBlank() {
		SessionKey key = newSession();
		updateDetails(key, new SessionDetails("Holiday", Map.of("a", "1")));
		updateDetails(key, new SessionDetails(" ", Map.of()));
		assertThat(read(key).details().displayName()).isNull();
		assertThat(read(key).details().labels()).isNullOrEmpty();
	}

	@Test
	default void leavesRevisionTimeAndStateAsTheyAre() {
		SessionKey key = newSession();
		store(key, Events.delta("{\"a\":1}"));
		Session before = read(key);
		updateDetails(key, new SessionDetails("Holiday", null));
		assertThat(read(key)).usingRecursiveComparison().ignoringFields("details", "version").isEqualTo(before);
		SessionVersion after = read(key).version();
		assertThat(after).usingRecursiveComparison().ignoringFields("detailsRevision").isEqualTo(before.version());
		assertThat(after.detailsRevision()).isPositive();
		updateDetails(key, new SessionDetails("Holiday", null));
		assertThat(read(key).version().detailsRevision()).isPositive().isNotEqualTo(after.detailsRevision());
	}

	@Test
	default void refusesToDescribeWhatIsNotThere() {
		SessionKey missing = Sessions.newKey();
		assertThatExceptionOfType(SessionException.NotFound.class)
			.isThrownBy(() -> updateDetails(missing, new SessionDetails("Holiday", null)));
		assertThat(store().find(missing, EventWindow.ALL)).isEmpty();
	}

	@Test
	default void detailsChangeAtExpectedRevisionOnly() {
		SessionKey key = newSession();
		storeMany(key, 2);
		SessionDetails change = new SessionDetails("Holiday", null);
		assertThatExceptionOfType(SessionException.Stale.class)
			.isThrownBy(() -> store().updateDetails(key, change, new Precondition(1L, null)))
			.satisfies((stale) -> assertThat(stale.version().revision()).isEqualTo(2))
			.satisfies((stale) -> assertThat(stale.seenRevision()).isEqualTo(1))
			.satisfies((stale) -> assertThat(stale.lastUpdateTime()).isEqualTo(read(key).lastUpdateTime()));
		assertThat(read(key).details()).isEqualTo(SessionDetails.NONE);
		store().updateDetails(key, change, new Precondition(2L, read(key).lastUpdateTime()));
		assertThat(read(key).details()).isEqualTo(change);
	}

	private void updateDetails(SessionKey key, SessionDetails change) {
		store().updateDetails(key, change, Precondition.NONE);
	}

}
