package dev.agentsessions.postgres.session;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

import dev.agentsessions.postgres.HeapBoundedReads;
import dev.agentsessions.session.Event;

/** Rows of events, some of which may have their bodies deferred. */
public abstract class EventRows extends HeapBoundedReads.Rows {

	private final List<Event> events = new ArrayList<>();

	/** Adds the event of a row, or counts its size if its body is deferred. */
	protected final void addEvent(ResultSet row) throws SQLException {
		Event event = EventEntity.toEvent(row);
		if (event == null) {
			count(row, true);
		}
		else {
			countEvent(event.body().length());
			this.events.add(event);
		}
	}

	/** Returns the events in the order of their rows, without deferred ones. */
	@Override
	public final List<Event> events() {
		return this.events;
	}

}
