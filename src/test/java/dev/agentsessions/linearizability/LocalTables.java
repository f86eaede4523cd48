package dev.agentsessions.linearizability;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * Copies of distributed tables, for queries that Citus refuses. They are temporary, so
 * this connection finds them before the tables of the same name.
 */
final class LocalTables {

	private LocalTables() {
	}

	/** Copies the distributed tables again, if there are any. */
	static void copy(Connection connection) throws SQLException {
		try (Statement statement = connection.createStatement()) {
			statement.execute("discard temporary");
			for (String table : distributed(statement)) {
				statement.execute("create temporary table %1$s as table public.%1$s".formatted(table));
			}
		}
	}

	private static List<String> distributed(Statement statement) throws SQLException {
		List<String> tables = new ArrayList<>();
		try (ResultSet citus = statement.executeQuery("select from pg_extension where extname = 'citus'")) {
			if (!citus.next()) {
				return tables;
			}
		}
		try (ResultSet rows = statement.executeQuery("select table_name::text from citus_tables")) {
			while (rows.next()) {
				tables.add(rows.getString(1));
			}
		}
		return tables;
	}

}
