package dev.agentsessions.postgres;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

import org.springframework.jdbc.core.RowCallbackHandler;

import dev.agentsessions.postgres.event.EventEntity;
import dev.agentsessions.session.Event;

/**
 * What a statement reads that withholds whatever is large, and only tells its size: so
 * nothing large is read before there is memory for it.
 */
public abstract class MemoryBoundedRows implements RowCallbackHandler {

	private final List<Event> events = new ArrayList<>();

	private long size;

	private boolean complete = true;

	/** Keeps the event of a row, or asks for its size if it is withheld. */
	protected final void addEvent(ResultSet row) throws SQLException {
		Event event = EventEntity.toEvent(row);
		if (event == null) {
			count(row, true);
		}
		else {
			this.size += event.body().text().length();
			this.events.add(event);
		}
	}

	/** Counts what a row has. */
	protected final void count(ResultSet row, boolean withheld) throws SQLException {
		this.size += row.getLong("size");
		this.complete &= !withheld;
	}

	/** The events in the order of their rows. */
	public final List<Event> events() {
		return this.events;
	}

	/** How much there is, together with what is withheld. */
	public final long size() {
		return this.size;
	}

	/** Whether nothing is withheld. */
	public final boolean isComplete() {
		return this.complete;
	}

}
