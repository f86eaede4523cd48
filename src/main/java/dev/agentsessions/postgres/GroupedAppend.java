package dev.agentsessions.postgres;

import java.util.List;
import java.util.UUID;

import dev.agentsessions.postgres.StateChanges.Row;
import dev.agentsessions.session.AppendRequest;
import dev.agentsessions.session.NewEvent;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionKey;

/**
 * An append as one of many in a batch.
 *
 * @param sessionKey the key of the session's row
 * @param event the event
 * @param precondition what has to hold before the batch
 * @param changes the rows of state that the event changes
 */
record GroupedAppend(UUID sessionKey, NewEvent event, Precondition precondition, List<Row> changes) {

	GroupedAppend(SessionKey key, AppendRequest append) {
		this(ScopeKey.of(key), append.event(), append.precondition(), StateChanges.all(key, append.event().delta()));
	}

	/** Whether it removes keys, for which a batch needs a second statement. */
	boolean removesKeys() {
		return this.changes.stream().anyMatch(Row::isRemoval);
	}

}
