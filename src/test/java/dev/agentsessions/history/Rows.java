package dev.agentsessions.history;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.agentsessions.postgres.ScopeKeys;

/** Looks into the database for rows of a world that belong to nobody. */
final class Rows {

	/**
	 * State that sessions do not share has keys that begin so (see {@link Choices}); that
	 * of users and apps outlives their sessions.
	 */
	private static final Map<String, String> WRONG = Map.of("events without their session", """
			select count(*) from events left join sessions using (session_key)
			where session_key = any (?) and sessions is null""", "initial state without its session", """
			select count(*) from initial_state left join sessions using (session_key)
			where session_key = any (?) and sessions is null""", "notes of events without their session", """
			select count(*) from (
			  select session_key from event_marks union all select session_key from pending_calls) as notes
			left join sessions using (session_key) where session_key = any (?) and sessions is null""",
			"living sessions of which not all is noted", """
					select count(*) from sessions
					where session_key = any (?) and (expire_time is null or expire_time > current_timestamp)
					  and noted_seq <> revision""", "state without its session", """
					select count(*) from state left join sessions on scope_key = session_key
					where scope_key = any (?) and key like 's-%' and sessions is null""",
			"removed keys that are still there",
			"select count(*) from state where scope_key = any (?) and value is null",
			"living sessions whose events are not 1, 2, 3 up to the revision",
			"""
					select count(*) from sessions
					where session_key = any (?) and (expire_time is null or expire_time > current_timestamp)
					  and (revision <> (select count(*) from events where events.session_key = sessions.session_key)
					    or revision <> (
					      select coalesce(max(seq), 0) from events where events.session_key = sessions.session_key))""");

	private Rows() {
	}

	/** What is wrong, one line for each kind. */
	static List<String> findFaults(String url, World world) {
		UUID[] keys = ScopeKeys.of(world.app(), World.USERS, world.slots().stream().map(Slot::id).toList());
		List<String> faults = new ArrayList<>();
		try (Connection connection = DriverManager.getConnection(url)) {
			for (Map.Entry<String, String> wrong : WRONG.entrySet()) {
				long count = count(connection, wrong.getValue(), keys);
				if (count > 0) {
					faults.add("In the database: " + count + " " + wrong.getKey());
				}
			}
		}
		catch (SQLException ex) {
			faults.add("The database cannot be asked: " + ex.getMessage());
		}
		return faults;
	}

	private static long count(Connection connection, String sql, UUID[] keys) throws SQLException {
		try (PreparedStatement statement = connection.prepareStatement(sql)) {
			statement.setArray(1, connection.createArrayOf("uuid", keys));
			try (ResultSet rows = statement.executeQuery()) {
				rows.next();
				return rows.getLong(1);
			}
		}
	}

}
