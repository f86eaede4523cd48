package dev.agentsessions.postgres;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

import org.springframework.jdbc.core.RowCallbackHandler;

import dev.agentsessions.session.Event;

/**
 * The rows of a statement that defers large values: such a row has only the size of its
 * value.
 */
public abstract class HeapBoundedRows implements RowCallbackHandler {

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
