package dev.agentsessions.postgres.usage;

import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

import dev.agentsessions.postgres.DatabaseTimeouts;
import dev.agentsessions.session.usage.SpentEvent;
import dev.agentsessions.session.usage.UsageQuery;

/** A request: which events it reads, and how much it has read. */
final class UsageRun {

	private static final long MAX_EVENTS = 50_000;

	private static final long MAX_SESSIONS = 50_000;

	private static final long MAX_BYTES = 64 << 20;

	private final long begin = System.nanoTime();

	private final DatabaseTimeouts timeouts;

	private final UsageQuery query;

	private final BooleanSupplier isFull;

	private final Consumer<SpentEvent> caller;

	private long events;

	private long bytes;

	private long sessions;

	UsageRun(DatabaseTimeouts timeouts, UsageQuery query, BooleanSupplier isFull, Consumer<SpentEvent> caller) {
		this.timeouts = timeouts;
		this.query = query;
		this.isFull = isFull;
		this.caller = caller;
	}

	UsageQuery query() {
		return this.query;
	}

	long sessions() {
		return this.sessions;
	}

	void addSessions(int number) {
		this.sessions += number;
	}

	/** Counts the events that a statement looks at. */
	void addSlices(List<EventSlice> slices) {
		this.events += slices.stream().mapToLong(EventSlice::events).sum();
	}

	/** Gives an event to the caller. */
	void add(SpentEvent event, long size) {
		this.bytes += size;
		this.caller.accept(event);
	}

	boolean isOver() {
		return this.events >= MAX_EVENTS || this.bytes >= MAX_BYTES || this.sessions >= MAX_SESSIONS
				|| this.timeouts.isOver(this.begin) || this.isFull.getAsBoolean();
	}

}
