package dev.agentsessions.postgres.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import dev.agentsessions.postgres.Lanes;
import dev.agentsessions.postgres.Readers;
import dev.agentsessions.postgres.Waiting;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.contract.Events;
import dev.agentsessions.session.contract.Sessions;

class AppendQueueTests {

	private static final Lanes LANES = Lanes.of(10, 2, Duration.ZERO, Duration.ZERO, Readers.NO_SHARES,
			new SimpleMeterRegistry());

	private final AppendQueue queue = new AppendQueue(LANES.groups(), 1 << 20);

	private final SessionName name = Sessions.newKey();

	@Test
	void appendsThatArePutBackComeFirstAndInTheirOrder() throws InterruptedException {
		QueuedAppend waiting = append("waiting");
		this.queue.add(waiting);
		List<QueuedAppend> released = Stream.of("a", "b", "c").map(this::append).toList();
		this.queue.putBack(released);
		List<QueuedAppend> taken = new ArrayList<>();
		this.queue.takeInto(taken, 10);
		assertThat(taken).containsExactly(released.get(0), released.get(1), released.get(2), waiting);
	}

	private QueuedAppend append(String id) {
		return new QueuedAppend(this.name, new UUID(0, 1), Events.append(Events.id(id)), List.of(), new Waiting<>());
	}

}
