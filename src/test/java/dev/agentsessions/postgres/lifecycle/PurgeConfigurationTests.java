package dev.agentsessions.postgres.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.scheduling.config.IntervalTask;
import org.springframework.scheduling.config.ScheduledTaskRegistrar;
import org.springframework.test.context.TestPropertySource;

import dev.agentsessions.postgres.PostgresStoreTest;
import dev.agentsessions.postgres.StoredKey;
import dev.agentsessions.postgres.lifecycle.PurgeConfiguration.ExpiryProperties;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.contract.Sessions;

/** When expired sessions are deleted. */
@TestPropertySource(properties = "agent-sessions.expiry.purge-interval=100ms")
class PurgeConfigurationTests extends PostgresStoreTest {

	@Autowired
	private Purge purge;

	@Autowired
	private KeySweeper sweeper;

	@Autowired
	private OwnerlessRows ownerless;

	@Test
	void deletesExpiredSessionsAgainAndAgain() {
		for (int i = 0; i < 2; i++) {
			SessionName name = Sessions.newKey();
			this.store.create(Sessions.until(name, Instant.EPOCH));
			Awaitility.await().atMost(1, TimeUnit.MINUTES).until(() -> isGone(name));
		}
	}

	@Test
	void sweepsWhatRemovalsHaveLeftEvenIfExpiredSessionsStay() {
		ScheduledTaskRegistrar tasks = new ScheduledTaskRegistrar();

		new PurgeConfiguration(new ExpiryProperties(Duration.ZERO), this.purge, this.sweeper, this.ownerless,
				new SimpleMeterRegistry())
			.configureTasks(tasks);

		assertThat(tasks.getFixedDelayTaskList()).extracting(IntervalTask::getIntervalDuration)
			.containsExactly(Duration.ofMinutes(1), Duration.ofDays(1));
	}

	@Test
	void tellsTheIntervalThatCounts() {
		SimpleMeterRegistry registry = new SimpleMeterRegistry();
		new PurgeConfiguration(new ExpiryProperties(Duration.ofHours(12)), this.purge, this.sweeper, this.ownerless,
				registry);
		assertThat(registry.get("agentsessions.purge.interval").timeGauge().value(TimeUnit.HOURS)).isEqualTo(12);
	}

	private boolean isGone(SessionName name) {
		return this.jdbc.queryForObject("select count(*) from sessions where session_key = ?", Long.class,
				StoredKey.of(this.jdbc, name)) == 0;
	}

}
