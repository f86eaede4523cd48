package dev.agentsessions.postgres;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

import dev.agentsessions.session.Events;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.SessionStore;
import dev.agentsessions.session.Sessions;

import static org.assertj.core.api.Assertions.assertThat;

/** What figures tell of appends. */
@PostgresTest
class AppendMetricsTests {

	@Autowired
	private SessionStore store;

	@Autowired
	private MeterRegistry registry;

	@Test
	void countsWhatIsStoredAndWhatWasStoredAlready() {
		SessionKey key = this.store.create(Sessions.empty(Sessions.newKey())).key();
		double stored = this.registry.get("agentsessions.append.group.size").summary().totalAmount();
		long waited = this.registry.get("agentsessions.append.wait").timer().count();
		long commits = this.registry.get("agentsessions.append.commit").timer().count();
		double replays = this.registry.get("agentsessions.append.replays").counter().count();
		this.store.append(key, Events.append(Events.id("e1")));
		this.store.append(key, Events.append(Events.id("e2")));
		this.store.append(key, Events.append(Events.id("e2")));
		assertThat(this.registry.get("agentsessions.append.group.size").summary().totalAmount()).isEqualTo(stored + 2);
		assertThat(this.registry.get("agentsessions.append.wait").timer().count()).isEqualTo(waited + 2);
		assertThat(this.registry.get("agentsessions.append.commit").timer().count()).isEqualTo(commits + 2);
		assertThat(this.registry.get("agentsessions.append.replays").counter().count()).isEqualTo(replays + 1);
	}

	@Test
	void tellsHowMuchWaits() {
		MeterRegistry own = new SimpleMeterRegistry();
		AppendQueue queue = new AppendQueue(Long.MAX_VALUE);
		new AppendMetrics(own).watch(queue);
		assertThat(own.get("agentsessions.append.waiting").gauge().value()).isZero();
		PendingAppend append = new PendingAppend(Sessions.newKey(), Events.append(Events.id("e1")));
		queue.add(append);
		assertThat(own.get("agentsessions.append.waiting").gauge().value()).isEqualTo(1);
		assertThat(own.get("agentsessions.append.waiting.size").gauge().value()).isEqualTo(append.bytes());
	}

}
