package dev.agentsessions.postgres.event;

import java.util.List;

import dev.agentsessions.session.event.AppendResult;

/**
 * Stores the events of a group of appends, with their preconditions checked, and sets
 * their keys of state. Keys that are removed are only set to null.
 */
public interface EventsStatement {

	/** Whether it needs a transaction for each group. */
	boolean needsTransaction();

	/**
	 * Executes it.
	 * @param stored gets the result of each append that is stored, at the index of the
	 * append
	 * @throws org.springframework.dao.DuplicateKeyException if an event id is stored
	 * already; then nothing of the group is stored
	 */
	void execute(List<QueuedAppend> group, AppendResult[] stored);

}
