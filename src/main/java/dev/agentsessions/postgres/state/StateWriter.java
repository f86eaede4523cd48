package dev.agentsessions.postgres.state;

import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.agentsessions.json.JsonText;

/**
 * Writes state within a transaction of the caller. It locks all rows in the order of the
 * primary key, with the rows of removed keys. So two writers of the same keys never
 * deadlock.
 */
public interface StateWriter {

	/** Sets keys. Locks removed keys and sets them to null. */
	void upsert(List<StateRow> rows);

	/** Deletes the removed keys among the rows; {@link #upsert} has locked them. */
	void remove(List<StateRow> rows);

	/**
	 * Stores keys of the initial state of a session.
	 * @throws org.springframework.dao.DuplicateKeyException if one is stored already
	 */
	void insertInitial(UUID sessionKey, Map<String, JsonText> state);

}
