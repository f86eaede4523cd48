package dev.agentsessions.postgres.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.DatabaseTimeouts;
import dev.agentsessions.postgres.Lanes;
import dev.agentsessions.postgres.report.SpendingSessions.EventSlice;
import dev.agentsessions.postgres.report.SpendingSessions.SpentEventsStatement;
import dev.agentsessions.postgres.session.SessionKeys;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.heap.ResponseHeap;
import dev.agentsessions.session.report.UsageQuery;
import dev.agentsessions.session.report.UsageQuery.UsagePosition;
import dev.agentsessions.session.report.UsageService;
import dev.agentsessions.session.report.UsageService.Store.SpentEvent;

/** Reads events, session by session, until a request has read enough. */
@Component
class PostgresUsageStore implements UsageService.Store {

	/** One statement reads the bodies of this number of events. */
	static final int MAX_EVENTS_BEFORE = 2000;

	/** PostgreSQL sorts this number of bodies in memory. */
	private static final int MAX_BATCH_EVENTS = 2000;

	private final SessionKeys keys;

	private final Lanes lanes;

	private final SpendingSessions sessions;

	private final SpentEventsStatement statement;

	private final DatabaseTimeouts timeouts;

	private final ResponseHeap memory;

	PostgresUsageStore(SessionKeys keys, Lanes lanes, SpendingSessions sessions, SpentEventsStatement statement,
			DatabaseTimeouts timeouts, ResponseHeap memory) {
		this.keys = keys;
		this.lanes = lanes;
		this.sessions = sessions;
		this.statement = statement;
		this.timeouts = timeouts;
		this.memory = memory;
	}

	@Override
	public Optional<End> read(UsageQuery query, BooleanSupplier isFull, Consumer<SpentEvent> events) {
		SessionName session = query.session();
		if (session != null) {
			return readOne(session,
					(all) -> new End(
							read(List.of(all.after(query.after())), new UsageRun(this.timeouts, query, isFull, events)),
							1));
		}
		return Optional.of(this.lanes.heavy().run(() -> readAll(new UsageRun(this.timeouts, query, isFull, events))));
	}

	@Override
	public boolean readBefore(SessionName session, long seq, String invocationId, Consumer<SpentEvent> events) {
		return readOne(session, (all) -> {
			long before = this.sessions.beforeInvocation(all.key(), seq, invocationId, MAX_EVENTS_BEFORE);
			EventSlice turn = all.between(before, seq - 1);
			return turn.events() <= MAX_EVENTS_BEFORE && read(List.of(turn),
					new UsageRun(this.timeouts, UsageQuery.ofSession(session), () -> false, events)) == null;
		}).orElse(false);
	}

	/**
	 * Reads from a session, which must be there afterwards: events of a deleted session
	 * may be gone before they are read.
	 */
	private <T> Optional<T> readOne(SessionName session, Function<EventSlice, T> read) {
		return this.keys.read(session, (key) -> this.lanes.heavy().run(() -> this.sessions.one(key).map((all) -> {
			T result = read.apply(all);
			if (this.sessions.one(key).isEmpty()) {
				throw new SessionException.Unavailable("The session was removed while it was read. Please retry.");
			}
			return result;
		})));
	}

	private End readAll(UsageRun run) {
		UsagePosition position = run.query().after();
		long before = this.memory.taken();
		while (true) {
			this.memory.backTo(before);
			List<EventSlice> next = this.sessions.next(run.query(), position);
			run.addSessions(next.size());
			UsagePosition stop = read(next, run);
			if (stop != null || next.size() < SpendingSessions.MAX_BATCH_SESSIONS) {
				return new End(stop, run.sessions());
			}
			position = next.get(next.size() - 1).end();
			if (run.isOver()) {
				return new End(position, run.sessions());
			}
		}
	}

	/** Returns where it stopped; {@code null} if it has read all of the slices. */
	private @Nullable UsagePosition read(List<EventSlice> slices, UsageRun run) {
		List<EventSlice> left = slices.stream().filter((slice) -> slice.events() > 0).toList();
		while (!left.isEmpty()) {
			if (run.isOver()) {
				return left.get(0).begin();
			}
			left = readBatch(left, run);
		}
		return null;
	}

	/** Reads the first events of some slices, and returns what is left of them. */
	private List<EventSlice> readBatch(List<EventSlice> slices, UsageRun run) {
		List<EventSlice> batch = batch(slices);
		run.addSlices(batch);
		long before = this.memory.taken();
		List<SpentEventsStatement.Row> rows = this.statement.execute(batch, run.query());
		this.memory.backTo(before);
		for (SpentEventsStatement.Row row : rows) {
			if (!row.fits()) {
				return left(slices, row.slice(), row.event().seq() - 1);
			}
			run.add(row.event(), row.size());
		}
		int last = batch.size() - 1;
		return left(slices, last, batch.get(last).until());
	}

	private static List<EventSlice> batch(List<EventSlice> slices) {
		List<EventSlice> batch = new ArrayList<>();
		long room = MAX_BATCH_EVENTS;
		for (int next = 0; room > 0 && next < slices.size(); next++) {
			EventSlice first = slices.get(next).first(room);
			batch.add(first);
			room -= first.events();
		}
		return batch;
	}

	/** Returns the slices after an event of one of them. */
	private static List<EventSlice> left(List<EventSlice> slices, int slice, long seq) {
		List<EventSlice> left = new ArrayList<>(slices.subList(slice, slices.size()));
		EventSlice rest = left.get(0).after(seq);
		if (rest.events() > 0) {
			left.set(0, rest);
		}
		else {
			left.remove(0);
		}
		return left;
	}

	/** A request: which events it reads, and how much it has read. */
	private static final class UsageRun {

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

}
