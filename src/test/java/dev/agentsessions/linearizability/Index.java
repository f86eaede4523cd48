package dev.agentsessions.linearizability;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Compares the index of what was said with one that is made anew, row by row. A session
 * that ends by itself may do so in between, and is left out.
 */
final class Index {

	private static final int ATTEMPTS = 200;

	private static final String OF_APP = " using (session_key) where app_name = ? and expire_time is null";

	private static final String ROWS = "select said::text from said join sessions" + OF_APP
			+ " union all select concat('of ', session_key, ': ', up_to_seq, ' ', turns, ' ', words)"
			+ " from said_sessions join sessions" + OF_APP;

	private static final String OF_HIDDEN = "select said::text from said join sessions" + OF_APP
			+ " and labels ->> 'memory' = 'off'";

	private static final String DELETE = "delete from public.%s where session_key in"
			+ " (select session_key from public.sessions where app_name = ?)";

	private final World world;

	private final Sender sender;

	private final String url;

	Index(World world, Sender sender, String url) {
		this.world = world;
		this.sender = sender;
		this.url = url;
	}

	/** What is wrong. */
	List<String> findFaults() {
		List<String> faults = new ArrayList<>();
		try (Connection connection = DriverManager.getConnection(this.url)) {
			indexAll();
			Set<String> grown = rows(connection, ROWS, 2);
			rows(connection, OF_HIDDEN, 1).forEach((row) -> faults.add("Of a hidden session: " + row));
			delete(connection, "said");
			delete(connection, "said_sessions");
			indexAll();
			Set<String> fresh = rows(connection, ROWS, 2);
			difference(grown, fresh).forEach((row) -> faults.add("Only in the index that has grown: " + row));
			difference(fresh, grown).forEach((row) -> faults.add("Only in the index made anew: " + row));
		}
		catch (SQLException | IllegalStateException ex) {
			faults.add("The index cannot be compared: " + ex.getMessage());
		}
		return faults;
	}

	private void indexAll() {
		String token = "";
		for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
			Optional<Exchange> exchange = this.sender
				.send("POST", "/apps/" + this.world.app() + ":reindex" + token, null)
				.filter((answer) -> answer.status() == 200);
			if (exchange.isPresent()) {
				String next = exchange.get().orThrow().at("/nextPageToken").asString("");
				if (next.isEmpty()) {
					return;
				}
				token = "?pageToken=" + next;
			}
		}
		throw new IllegalStateException("the service does not index " + this.world.app());
	}

	private Set<String> rows(Connection connection, String sql, int parameters) throws SQLException {
		LocalTables.copy(connection);
		try (PreparedStatement statement = connection.prepareStatement(sql)) {
			for (int parameter = 1; parameter <= parameters; parameter++) {
				statement.setString(parameter, this.world.app());
			}
			Set<String> found = new TreeSet<>();
			try (ResultSet rows = statement.executeQuery()) {
				while (rows.next()) {
					found.add(rows.getString(1));
				}
			}
			return found;
		}
	}

	private void delete(Connection connection, String table) throws SQLException {
		try (PreparedStatement statement = connection.prepareStatement(DELETE.formatted(table))) {
			statement.setString(1, this.world.app());
			statement.executeUpdate();
		}
	}

	private static Set<String> difference(Set<String> all, Set<String> without) {
		Set<String> rest = new TreeSet<>(all);
		rest.removeAll(without);
		return rest;
	}

}
