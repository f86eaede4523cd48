package dev.agentsessions.postgres.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

import dev.agentsessions.postgres.Lanes;
import dev.agentsessions.postgres.PostgresTest;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.contract.Events;
import dev.agentsessions.session.contract.Sessions;
import dev.agentsessions.session.contract.Stores;
import dev.agentsessions.session.lifecycle.SessionQuery;
import dev.agentsessions.session.lifecycle.SessionQuery.Filter;
import dev.agentsessions.session.lifecycle.SessionQuery.Order;

/** What figures tell of appends. */
@PostgresTest
class AppendMetricsTests {

	@Autowired
	private Stores store;

	@Autowired
	private MeterRegistry registry;

	@Autowired
	private Lanes lanes;

	@Test
	void countsWhatIsStoredAndWhatWasStoredAlready() {
		SessionName name = this.store.create(Sessions.empty(Sessions.newKey())).name();
		double stored = this.registry.get("agentsessions.append.group.size").summary().totalAmount();
		long waited = this.registry.get("agentsessions.append.wait").timer().count();
		long commits = this.registry.get("agentsessions.append.commit").timer().count();
		double replays = this.registry.get("agentsessions.append.replays").counter().count();
		this.store.append(name, Events.append(Events.id("e1")));
		this.store.append(name, Events.append(Events.id("e2")));
		this.store.append(name, Events.append(Events.id("e2")));
		assertThat(this.registry.get("agentsessions.append.group.size").summary().totalAmount()).isEqualTo(stored + 2);
		assertThat(this.registry.get("agentsessions.append.wait").timer().count()).isEqualTo(waited + 2);
		assertThat(this.registry.get("agentsessions.append.commit").timer().count()).isEqualTo(commits + 2);
		assertThat(this.registry.get("agentsessions.append.replays").counter().count()).isEqualTo(replays + 1);
	}

	@Test
	void tellsHowMuchWaits() {
		MeterRegistry own = new SimpleMeterRegistry();
		AppendQueue queue = new AppendQueue(this.lanes.groups(), Long.MAX_VALUE);
		BlockedAppends blocked = new BlockedAppends();
		new AppendMetrics(own).watch(queue, blocked);
		assertThat(own.get("agentsessions.append.waiting").gauge().value()).isZero();
		QueuedAppend append = new QueuedAppend(Sessions.newKey(), UUID.randomUUID(), Events.append(Events.id("e1")));
		queue.add(append);
		assertThat(own.get("agentsessions.append.waiting").gauge().value()).isEqualTo(1);
		assertThat(own.get("agentsessions.append.waiting.size").gauge().value()).isEqualTo(append.bytes());
		blocked.addIfBlocked(append, append.rows().collect(Collectors.toSet()));
		assertThat(own.get("agentsessions.append.locked").gauge().value()).isEqualTo(1);
	}

	@Test
	void countsEventsOfBatchesAndLargeOnes() {
		SessionName name = this.store.create(Sessions.empty(Sessions.newKey())).name();
		double events = events();
		double replays = this.registry.get("agentsessions.append.replays").counter().count();
		this.store.appendAll(name, List.of(Events.id("e1"), Events.id("e2")), Precondition.NONE);
		this.store.appendAll(name, List.of(Events.id("e2"), Events.id("e3")), Precondition.NONE);
		this.store.append(name,
				Events.append(Events.event("{\"id\":\"e4\",\"author\":\"a\",\"x\":\"" + "x".repeat(1 << 17) + "\"}")));
		assertThat(events()).isEqualTo(events + 4);
		assertThat(this.registry.get("agentsessions.append.replays").counter().count()).isEqualTo(replays + 1);
	}

	private double events() {
		return this.registry.get("agentsessions.append.events").counter().count();
	}

	@Test
	void tellsHowLargeReadsAre() {
		SessionName name = this.store.create(Sessions.with(Sessions.newKey(), "{\"a\":1}", "{\"id\":\"e1\"}")).name();
		long reads = reads("session").count();
		double characters = reads("session").totalAmount();
		double events = this.registry.get("agentsessions.read.events").counter().count();
		long lists = reads("list").count();
		this.store.find(name, EventWindow.ALL);
		this.store.list(SessionQuery.of(name.user(), Order.USER, false, 10, new Filter(null, Map.of(), true), true));
		assertThat(reads("session").count()).isEqualTo(reads + 1);
		assertThat(reads("session").totalAmount()).isGreaterThan(characters);
		assertThat(this.registry.get("agentsessions.read.events").counter().count()).isEqualTo(events + 1);
		assertThat(reads("list").count()).isEqualTo(lists + 1);
	}

	private DistributionSummary reads(String what) {
		return this.registry.get("agentsessions.read.size").tag("of", what).summary();
	}

}
