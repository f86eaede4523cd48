package dev.agentsessions.postgres;

import java.util.List;
import java.util.function.LongFunction;
import java.util.function.UnaryOperator;

import org.springframework.stereotype.Component;

import dev.agentsessions.session.Event;
import dev.agentsessions.session.EventStream;
import dev.agentsessions.session.memory.ResponseMemory;

/** Reads what may be large only when there is memory for it. */
@Component
public class MemoryBoundedReads {

	/**
	 * What is larger is withheld at first. The state of a session, or an event, of this
	 * size is rare enough to be asked for twice.
	 */
	public static final long LARGE = 1 << 20;

	private final Transactions transactions;

	private final ResponseMemory memory;

	private final ReadMetrics metrics;

	MemoryBoundedReads(Transactions transactions, ResponseMemory memory, ReadMetrics metrics) {
		this.transactions = transactions;
		this.memory = memory;
		this.metrics = metrics;
	}

	/**
	 * Reads rows.
	 * @param statement reads them, given the size from which on they are withheld
	 */
	public <R extends MemoryBoundedRows> R read(LongFunction<R> statement) {
		R rows = readWhole(statement);
		this.metrics.session(rows.size(), rows.eventCount());
		return rows;
	}

	private <R extends MemoryBoundedRows> R readWhole(LongFunction<R> statement) {
		R rows = this.transactions.statement(() -> statement.apply(LARGE));
		if (rows.isComplete()) {
			this.memory.count(rows.size());
			return rows;
		}
		this.memory.take(rows.size());
		return this.transactions.statement(() -> statement.apply(Long.MAX_VALUE));
	}

	/**
	 * A history whose pieces take the memory one after the other. So nobody who waits for
	 * the next one keeps others waiting.
	 * @param first the first piece, which has been read
	 * @param following reads the events that follow others
	 */
	public EventStream history(List<Event> first, UnaryOperator<List<Event>> following) {
		long withoutPieces = Math.max(0, this.memory.taken() - size(first));
		return new EventStream(first, (piece) -> {
			this.memory.backTo(withoutPieces);
			return following.apply(piece);
		});
	}

	private static long size(List<Event> events) {
		return events.stream().mapToLong((event) -> event.body().text().length()).sum();
	}

}
