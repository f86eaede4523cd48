package dev.agentsessions.postgres.usage;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

import org.springframework.stereotype.Component;

import dev.agentsessions.session.memory.ResponseMemory;
import dev.agentsessions.session.usage.SpentEvent;
import dev.agentsessions.session.usage.UsageQuery;

/** Reads slices of events, some with each statement. */
@Component
class SpentEventsReader {

	/** PostgreSQL sorts this number of bodies in memory. */
	private static final int MAX_BATCH_EVENTS = 2000;

	private final SpentEventsStatement statement;

	private final ResponseMemory memory;

	SpentEventsReader(SpentEventsStatement statement, ResponseMemory memory) {
		this.statement = statement;
		this.memory = memory;
	}

	/** Reads the first events of some slices, and returns what is left of them. */
	Deque<EventSlice> readNext(Collection<EventSlice> slices, UsageQuery query, ReadBudget budget,
			Consumer<SpentEvent> events) {
		long before = this.memory.taken();
		try {
			return read(slices, query, budget, events);
		}
		finally {
			this.memory.backTo(before);
		}
	}

	private Deque<EventSlice> read(Collection<EventSlice> slices, UsageQuery query, ReadBudget budget,
			Consumer<SpentEvent> events) {
		Deque<EventSlice> left = new ArrayDeque<>(slices);
		List<EventSlice> batch = take(left);
		List<SpentEventsStatement.Row> rows = this.statement.execute(batch, query);
		budget.spend(batch, rows);
		for (SpentEventsStatement.Row row : rows) {
			if (!row.fits()) {
				putBack(batch, row, left);
				return left;
			}
			events.accept(row.event());
		}
		return left;
	}

	private static List<EventSlice> take(Deque<EventSlice> slices) {
		List<EventSlice> batch = new ArrayList<>();
		long room = MAX_BATCH_EVENTS;
		while (room > 0 && !slices.isEmpty()) {
			EventSlice next = slices.remove();
			EventSlice first = next.first(room);
			batch.add(first);
			room -= Math.max(1, first.events());
			if (first.until() < next.until()) {
				slices.addFirst(next.from(first.until()));
			}
		}
		return batch;
	}

	/** Puts back what begins with an event, in front of the slices that are left. */
	private static void putBack(List<EventSlice> batch, SpentEventsStatement.Row row, Deque<EventSlice> left) {
		for (int slice = batch.size() - 1; slice > row.slice(); slice--) {
			left.addFirst(batch.get(slice));
		}
		left.addFirst(batch.get(row.slice()).from(row.event().seq() - 1));
	}

}
