package dev.agentsessions.postgres.lifecycle;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.postgres.Columns;
import dev.agentsessions.postgres.HeapBoundedRows;
import dev.agentsessions.session.lifecycle.StateSource;
import dev.agentsessions.state.RemovalMarker;

/**
 * The rows of {@link PastStateStatement}: the value of each key, and the event that set
 * it.
 */
final class PastStateRows extends HeapBoundedRows {

	private final Map<String, JsonText> state = new LinkedHashMap<>();

	private final Map<String, StateSource> sources = new LinkedHashMap<>();

	@Override
	public void processRow(ResultSet row) throws SQLException {
		String value = row.getString("value");
		count(row, value == null);
		if (value != null && !RemovalMarker.is(new JsonText(value))) {
			this.state.put(row.getString("key"), new JsonText(value));
			addSource(row);
		}
	}

	private void addSource(ResultSet row) throws SQLException {
		long seq = row.getLong("seq");
		if (seq > 0) {
			this.sources.put(row.getString("key"),
					new StateSource(seq, row.getString("id"), row.getString("author"), Columns.time(row, "time")));
		}
	}

	/** Returns the state, keys with prefixes, sorted by key. */
	Map<String, JsonText> state() {
		return this.state;
	}

	/** Returns the event that set each key; keys of the initial state have none. */
	Map<String, StateSource> sources() {
		return this.sources;
	}

}
