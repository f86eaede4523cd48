package dev.agentsessions.postgres.state;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.postgres.HeapBoundedRows;
import dev.agentsessions.session.SessionException;

/** The rows of the initial state of a session: one at least if the session exists. */
public final class InitialStateRows extends HeapBoundedRows {

	private final Map<String, JsonText> state = new LinkedHashMap<>();

	private boolean found;

	@Override
	public void processRow(ResultSet row) throws SQLException {
		this.found = true;
		String key = row.getString("key");
		String value = row.getString("value");
		count(row, key != null && value == null);
		if (key != null && value != null) {
			this.state.put(key, new JsonText(value));
		}
	}

	/**
	 * Returns the values that are not deferred.
	 * @throws SessionException.NotFound if there is no session
	 */
	public Map<String, JsonText> state() {
		if (!this.found) {
			throw new SessionException.NotFound();
		}
		return this.state;
	}

}
