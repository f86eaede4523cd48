package dev.agentsessions.session.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Map;

import org.junit.jupiter.api.Test;

import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.Session.SessionVersion;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;

/** Changing what people call a session. */
interface UpdateDetailsContract extends StoreUnderTest {

	@Test
	default void changesOnlyWhatIsGiven() {
		SessionName name = newSession();
		updateDetails(name, new SessionDetails("Holiday", Map.of("a", "1")));
		updateDetails(name, new SessionDetails("Journey", null));
		assertThat(read(name).details()).isEqualTo(new SessionDetails("Journey", Map.of("a", "1")));
		updateDetails(name, new SessionDetails(null, Map.of("b", "2")));
		assertThat(read(name).details()).isEqualTo(new SessionDetails("Journey", Map.of("b", "2")));
	}

	@Test
	default void removesWhatIsBlank() {
		SessionName name = newSession();
		updateDetails(name, new SessionDetails("Holiday", Map.of("a", "1")));
		updateDetails(name, new SessionDetails(" ", Map.of()));
		assertThat(read(name).details().displayName()).isNull();
		assertThat(read(name).details().labels()).isNullOrEmpty();
	}

	@Test
	default void leavesRevisionTimeAndStateAsTheyAre() {
		SessionName name = newSession();
		store(name, Events.delta("{\"a\":1}"));
		Session before = read(name);
		updateDetails(name, new SessionDetails("Holiday", null));
		assertThat(read(name)).usingRecursiveComparison().ignoringFields("details", "version").isEqualTo(before);
		SessionVersion after = read(name).version();
		assertThat(after).usingRecursiveComparison().ignoringFields("detailsRevision").isEqualTo(before.version());
		assertThat(after.detailsRevision()).isPositive();
		updateDetails(name, new SessionDetails("Holiday", null));
		assertThat(read(name).version().detailsRevision()).isPositive().isNotEqualTo(after.detailsRevision());
	}

	@Test
	default void refusesToDescribeWhatIsNotThere() {
		SessionName missing = Sessions.newKey();
		assertThatExceptionOfType(SessionException.NotFound.class)
			.isThrownBy(() -> updateDetails(missing, new SessionDetails("Holiday", null)));
		assertThat(store().find(missing, EventWindow.ALL)).isEmpty();
	}

	@Test
	default void detailsChangeAtExpectedRevisionOnly() {
		SessionName name = newSession();
		storeMany(name, 2);
		SessionDetails change = new SessionDetails("Holiday", null);
		assertThatExceptionOfType(SessionException.Stale.class)
			.isThrownBy(() -> store().updateDetails(name, change, new Precondition(1L, null)))
			.satisfies((stale) -> assertThat(stale.version().revision()).isEqualTo(2))
			.satisfies((stale) -> assertThat(stale.seenRevision()).isEqualTo(1))
			.satisfies((stale) -> assertThat(stale.lastUpdateTime()).isEqualTo(read(name).lastUpdateTime()));
		assertThat(read(name).details()).isEqualTo(SessionDetails.NONE);
		store().updateDetails(name, change, new Precondition(2L, read(name).lastUpdateTime()));
		assertThat(read(name).details()).isEqualTo(change);
	}

	private void updateDetails(SessionName name, SessionDetails change) {
		store().updateDetails(name, change, Precondition.NONE);
	}

}
