package dev.agentsessions.history;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Looks into the database for rows that belong to nobody. */
final class Rows {

	/**
	 * State that sessions do not share has keys that begin so (see {@link Client}); that
	 * of users and apps outlives their sessions.
	 */
	private static final Map<String, String> WRONG = Map.of("events without their session",
			"select count(*) from events where session_key not in (select session_key from sessions)",
			"state without its session",
			"select count(*) from state where key like 's-%' and scope_key not in (select session_key from sessions)",
			"removed keys that are still there", "select count(*) from state where value is null",
			"living sessions whose events are not 1, 2, 3 up to the revision",
			"""
					select count(*) from sessions
					where (expire_time is null or expire_time > current_timestamp)
					  and (revision <> (select count(*) from events where events.session_key = sessions.session_key)
					    or revision <> (
					      select coalesce(max(seq), 0) from events where events.session_key = sessions.session_key))""");

	private Rows() {
	}

	/** What is wrong, one line for each kind. */
	static List<String> findFaults(String url) {
		List<String> faults = new ArrayList<>();
		try (Connection connection = DriverManager.getConnection(url);
				Statement statement = connection.createStatement()) {
			for (Map.Entry<String, String> wrong : WRONG.entrySet()) {
				try (ResultSet rows = statement.executeQuery(wrong.getValue())) {
					rows.next();
					if (rows.getLong(1) > 0) {
						faults.add("In the database: " + rows.getLong(1) + " " + wrong.getKey());
					}
				}
			}
		}
		catch (SQLException ex) {
			faults.add("The database cannot be asked: " + ex.getMessage());
		}
		return faults;
	}

}
