package dev.agentsessions.postgres;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Supplier;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.stereotype.Component;

import dev.agentsessions.session.Event;
import dev.agentsessions.session.EventStream;
import dev.agentsessions.session.heap.HeapBudget;
import dev.agentsessions.session.heap.ResponseHeap;

/**
 * Reads rows whose values may be large, and defers large values until there is memory for
 * them.
 */
@Component
public class HeapBoundedReads {

	/**
	 * A value of about this size in bytes and larger is deferred: the first statement
	 * reads only its size, and a second one reads the value. Such states and events are
	 * rare.
	 */
	public static final long DEFER_FROM_BYTES = 1 << 20;

	private final Transactions transactions;

	private final ReaderThreads threads;

	private final ResponseHeap memory;

	private final ReadMetrics metrics;

	HeapBoundedReads(Transactions transactions, ReaderThreads threads, ResponseHeap memory, ReadMetrics metrics) {
		this.transactions = transactions;
		this.threads = threads;
		this.memory = memory;
		this.metrics = metrics;
	}

	/**
	 * Reads rows, with a second statement if values were deferred.
	 * @param statement reads the rows; gets the size from which on values are deferred,
	 * in bytes
	 * @throws dev.agentsessions.session.SessionException.Unavailable if there is no
	 * memory or no thread in time
	 */
	public <R extends Rows> R read(LongFunction<R> statement) {
		return read(() -> this.threads.run(() -> execute(statement, DEFER_FROM_BYTES)),
				() -> this.threads.run(() -> execute(statement, Long.MAX_VALUE)));
	}

	/**
	 * Lets reads that wait at the same moment share a statement, as {@link SharedReads}.
	 * A larger result gets its own statement.
	 * @param maxGroup the maximum number of reads in a statement
	 * @return reads rows, as {@link #read(LongFunction)}
	 */
	public <Q, R extends Rows> Function<Q, R> shared(SharedStatement<Q, R> statement, int maxGroup) {
		SharedReads<Q, R> shared = new SharedReads<>(this.threads,
				(queries) -> execute((deferFrom) -> statement.execute(queries, deferFrom),
						SharedReads.limit(DEFER_FROM_BYTES, queries.size())),
				maxGroup);
		return (query) -> read(() -> shared.read(query), () -> this.threads
			.run(() -> execute((deferFrom) -> statement.execute(List.of(query), deferFrom).get(0), Long.MAX_VALUE)));
	}

	/**
	 * Reads rows, and again if values were deferred.
	 * @param first reads the rows, without large values
	 * @param complete reads the rows with all values
	 */
	<R extends Rows> R read(Supplier<R> first, Supplier<R> complete) {
		R rows = first.get();
		if (rows.hasDeferred()) {
			this.memory.take(rows.size());
			rows = complete.get();
		}
		else {
			this.memory.count(rows.size());
		}
		rows.events().forEach((event) -> this.memory.takeTranslation(event.body().text(), HeapBudget.MAX_WAIT_SECONDS));
		this.metrics.session(rows.size(), rows.eventCount());
		return rows;
	}

	private <T> T execute(LongFunction<T> statement, long deferFrom) {
		return this.transactions.statement(() -> CountingJdbcTemplate.uncounted(() -> statement.apply(deferFrom)));
	}

	/**
	 * Returns a stream whose chunks use the same memory one after the other. So a request
	 * that waits for its client, or for memory for its next chunk, does not keep memory
	 * of the chunk before.
	 * @param first the first chunk, which has been read
	 * @param next returns the supplier of the chunk after a chunk
	 */
	public EventStream stream(List<Event> first, Function<List<Event>, Supplier<List<Event>>> next) {
		long withoutChunk = Math.max(0, this.memory.taken() - size(first));
		return new EventStream(first, (chunk) -> {
			Supplier<List<Event>> read = next.apply(chunk);
			return () -> {
				this.memory.continueFrom(withoutChunk);
				return read.get();
			};
		});
	}

	private static long size(List<Event> events) {
		return events.stream().mapToLong((event) -> event.body().length()).sum();
	}

	/**
	 * Executes reads together.
	 *
	 * @param <Q> what to read
	 * @param <R> the rows of one read
	 */
	@FunctionalInterface
	public interface SharedStatement<Q, R> {

		/**
		 * Executes one or more reads.
		 * @param deferFrom values of this size and larger are deferred, in bytes
		 * @return the rows of each read, in the order of the reads
		 */
		List<R> execute(List<Q> queries, long deferFrom);

	}

	/**
	 * The rows of a statement that defers large values: such a row has only the size of
	 * its value.
	 */
	public static abstract class Rows implements RowCallbackHandler {

		private long size;

		private int events;

		private boolean deferred;

		/**
		 * Counts the value of a row.
		 * @param deferred whether the row has only the size of its value
		 */
		protected final void count(ResultSet row, boolean deferred) throws SQLException {
			this.size += row.getLong("size");
			this.deferred |= deferred;
		}

		/** Counts an event that was read. */
		protected final void countEvent(int chars) {
			this.size += chars;
			this.events++;
		}

		/** Returns the events that were read. */
		public List<Event> events() {
			return List.of();
		}

		/** Returns the size of all values in characters, also of deferred ones. */
		public final long size() {
			return this.size;
		}

		final int eventCount() {
			return this.events;
		}

		/** Whether a value was deferred, so that the rows have to be read again. */
		public final boolean hasDeferred() {
			return this.deferred;
		}

	}

	/**
	 * Metrics of reads from the database: their number and size. Each chunk of a stream
	 * counts as a read.
	 */
	@Component
	public static class ReadMetrics {

		/** Bounds of the histogram, in characters. */
		private static final double[] SIZES = { 1e3, 1e4, 1e5, 1e6, 1e7, 1e8 };

		private final DistributionSummary sessions;

		private final DistributionSummary lists;

		private final Counter events;

		ReadMetrics(MeterRegistry registry) {
			this.sessions = sizes(registry, "session");
			this.lists = sizes(registry, "list");
			this.events = Counter.builder("agentsessions.read.events")
				.description("Events that were read")
				.register(registry);
		}

		private static DistributionSummary sizes(MeterRegistry registry, String what) {
			return DistributionSummary.builder("agentsessions.read.size")
				.description("Size of a read of a session with its events and state, or of a list of sessions")
				.baseUnit("characters")
				.tag("of", what)
				.serviceLevelObjectives(SIZES)
				.register(registry);
		}

		/** Counts a read of a session or of its events. */
		void session(long characters, int events) {
			this.sessions.record(characters);
			this.events.increment(events);
		}

		/** Counts a page of a list of sessions. */
		public void list(long characters) {
			this.lists.record(characters);
		}

	}

}
