package dev.agentsessions.linearizability;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import dev.agentsessions.postgres.artifact.ArtifactTables;
import dev.agentsessions.postgres.lifecycle.OwnedTables;
import dev.agentsessions.postgres.lifecycle.OwnedTables.OwnedTable.Owner;

/** Looks into the database for rows of a world that belong to nobody. */
final class Rows {

	private static final String OF_NO_SESSION = """
			select count(*) from %1$s as stray
			where not exists (select from sessions where sessions.session_key = stray.%2$s)
			  and not exists (select from keys_to_sweep where keys_to_sweep.session_key = stray.%2$s)
			""";

	/**
	 * Rows under a key that neither a session has nor the sweep knows. The keys of states
	 * of sessions begin with {@code s-}; states of users and apps outlive their sessions.
	 */
	private static final Map<String, String> STRAY = stray();

	private static final String INCOMPLETE = """
			select count(*) from sessions
			where app_name = ? and (expire_time is null or expire_time > current_timestamp)
			  and (revision <> (select count(*) from events where events.session_key = sessions.session_key)
			    or revision <> (
			      select coalesce(max(seq), 0) from events where events.session_key = sessions.session_key))
			""";

	private Rows() {
	}

	private static Map<String, String> stray() {
		Map<String, String> queries = new HashMap<>();
		OwnedTables.ALL.stream()
			.filter((table) -> table.owner() == Owner.SESSION || table.owner() == Owner.SESSION_OF_USER)
			.forEach((table) -> queries.put(table.name() + " of no session",
					OF_NO_SESSION.formatted(table.name(), "session_key")));
		queries.put("state of no session", OF_NO_SESSION.formatted("state", "scope_key") + " and key like 's-%'");
		queries.put("removed keys that are still there", "select count(*) from state where value is null");
		return queries;
	}

	/** What is wrong, one line for each kind. */
	static List<String> findFaults(String url, World world) {
		List<String> faults = new ArrayList<>();
		try (Connection connection = DriverManager.getConnection(url)) {
			LocalTables.copy(connection);
			for (Map.Entry<String, String> stray : STRAY.entrySet()) {
				add(count(connection, stray.getValue()), stray.getKey(), faults);
			}
			add(count(connection, INCOMPLETE, world.app()),
					"living sessions whose events are not 1, 2, 3 up to the revision", faults);
			ArtifactTables.assertWhole(new JdbcTemplate(new SingleConnectionDataSource(connection, true)),
					"At the end");
		}
		catch (AssertionError ex) {
			faults.add("In the database: " + ex.getMessage());
		}
		catch (SQLException ex) {
			faults.add("The database cannot be asked: " + ex.getMessage());
		}
		return faults;
	}

	private static void add(long count, String fault, List<String> faults) {
		if (count > 0) {
			faults.add("In the database: " + count + " " + fault);
		}
	}

	private static long count(Connection connection, String sql, String... parameters) throws SQLException {
		try (PreparedStatement statement = connection.prepareStatement(sql)) {
			for (int index = 0; index < parameters.length; index++) {
				statement.setString(index + 1, parameters[index]);
			}
			try (ResultSet rows = statement.executeQuery()) {
				rows.next();
				return rows.getLong(1);
			}
		}
	}

}
