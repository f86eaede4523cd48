package dev.agentsessions.postgres.session;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

import dev.agentsessions.postgres.PostgresStoreTest;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.contract.Events;
import dev.agentsessions.watch.Watch;
import dev.agentsessions.watch.Watch.WatchListener;
import dev.agentsessions.watch.Watch.WatchListener.WatchEndReason;
import dev.agentsessions.watch.WatchService;

/** A client that takes fewer events than it is shown gets the others later. */
class SlowWatchTests extends PostgresStoreTest {

	@Autowired
	private WatchService watches;

	@Test
	void showsEachEventToAClientThatTakesOneAtATime() {
		SessionName name = newSession();
		storeMany(name, 5);
		OneByOne client = new OneByOne();
		Watch watch = this.watches.open(name, null, 0L, null);
		watch.start(client);
		store(name, Events.id("late"));
		Awaitility.await()
			.atMost(30, TimeUnit.SECONDS)
			.until(() -> client.seqs.equals(List.of(1L, 2L, 3L, 4L, 5L, 6L)));
		watch.close();
	}

	/** Takes one of the events that it is shown. */
	private static final class OneByOne implements WatchListener {

		private final List<Long> seqs = new CopyOnWriteArrayList<>();

		@Override
		public boolean isReady() {
			return true;
		}

		@Override
		public int show(List<Event> events) {
			this.seqs.add(events.get(0).seq());
			return 1;
		}

		@Override
		public void heartbeat() {
		}

		@Override
		public void end(WatchEndReason reason) {
		}

	}

}
