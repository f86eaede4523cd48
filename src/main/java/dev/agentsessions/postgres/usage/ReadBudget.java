package dev.agentsessions.postgres.usage;

import java.util.List;

import dev.agentsessions.postgres.DatabaseTimeouts;

/** What a request may still read. */
final class ReadBudget {

	static final long MAX_EVENTS = 50_000;

	static final long MAX_SESSIONS = 50_000;

	static final long MAX_BYTES = 64 << 20;

	private final long begin = System.nanoTime();

	private final DatabaseTimeouts timeouts;

	private long events;

	private long bytes;

	private long sessions;

	ReadBudget(DatabaseTimeouts timeouts) {
		this.timeouts = timeouts;
	}

	void spendSessions(int number) {
		this.sessions += number;
	}

	void spend(List<EventSlice> slices, List<SpentEventsStatement.Row> rows) {
		this.events += slices.stream().mapToLong(EventSlice::events).sum();
		this.bytes += rows.stream()
			.filter(SpentEventsStatement.Row::fits)
			.mapToLong(SpentEventsStatement.Row::size)
			.sum();
	}

	long sessions() {
		return this.sessions;
	}

	boolean isSpent() {
		return this.events >= MAX_EVENTS || this.bytes >= MAX_BYTES || this.sessions >= MAX_SESSIONS
				|| this.timeouts.isOver(this.begin);
	}

}
