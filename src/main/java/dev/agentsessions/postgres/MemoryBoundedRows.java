package dev.agentsessions.postgres;

import java.sql.ResultSet;
import java.sql.SQLException;

import org.springframework.jdbc.core.RowCallbackHandler;

/**
 * Rows of a statement that defers large values: such a row has only the size of its
 * value. So nothing large is read before there is memory for it.
 */
public abstract class MemoryBoundedRows implements RowCallbackHandler {

	private long size;

	private int events;

	private boolean complete = true;

	/**
	 * Counts the value of a row.
	 * @param deferred whether the row has only the size of its value
	 */
	protected final void count(ResultSet row, boolean deferred) throws SQLException {
		this.size += row.getLong("size");
		this.complete &= !deferred;
	}

	/** Counts an event that was read. */
	protected final void countEvent(int chars) {
		this.size += chars;
		this.events++;
	}

	/** The size of all values in characters, with deferred ones. */
	public final long size() {
		return this.size;
	}

	final int eventCount() {
		return this.events;
	}

	public final boolean isComplete() {
		return this.complete;
	}

}
