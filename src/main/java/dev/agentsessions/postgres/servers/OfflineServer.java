package dev.agentsessions.postgres.servers;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

import org.postgresql.copy.CopyManager;
import org.postgresql.core.BaseConnection;

/**
 * A server while no replica uses it, with the only connection of {@link MoveBuckets} to
 * it. Statements have no time-out: a bucket may have many rows.
 */
final class OfflineServer implements AutoCloseable {

	/** The name of the connection in pg_stat_activity. */
	static final String APPLICATION = "agent-sessions-move";

	/**
	 * A commit has to be on the disk before the same rows are deleted elsewhere. A
	 * stronger setting, such as to wait for a standby, stays.
	 */
	private static final String COMMIT_DURABLY = """
			select set_config('synchronous_commit', 'local', false) where current_setting('synchronous_commit') = 'off'
			""";

	private final String name;

	private final Connection connection;

	private final String applicationOfReplicas;

	private OfflineServer(String name, Connection connection, String applicationOfReplicas) {
		this.name = name;
		this.connection = connection;
		this.applicationOfReplicas = applicationOfReplicas;
	}

	/**
	 * Connects to a server.
	 * @param name the name of the server in the settings
	 * @param url its JDBC URL
	 * @param properties the properties of the driver that the replicas have too, so that
	 * the connection first gets their name
	 */
	static OfflineServer connect(String name, String url, Properties properties) throws SQLException {
		Connection connection = DriverManager.getConnection(url, properties);
		try {
			OfflineServer unnamed = new OfflineServer(name, connection, "");
			String application = unnamed.query(String.class, "select current_setting('application_name')").get(0);
			unnamed.execute("set application_name = '" + APPLICATION + "'");
			unnamed.execute("set statement_timeout = 0");
			unnamed.execute("set idle_in_transaction_session_timeout = 0");
			unnamed.query(String.class, COMMIT_DURABLY);
			return new OfflineServer(name, connection, application);
		}
		catch (SQLException ex) {
			connection.close();
			throw ex;
		}
	}

	/** Returns its name in the settings. */
	String name() {
		return this.name;
	}

	/** Returns the name of the connections of replicas in pg_stat_activity. */
	String applicationOfReplicas() {
		return this.applicationOfReplicas;
	}

	/** Executes a statement, and returns the number of rows that it changed. */
	long execute(String sql, Object... parameters) throws SQLException {
		try (PreparedStatement statement = prepare(sql, parameters)) {
			return statement.executeLargeUpdate();
		}
	}

	/** Returns the first column of all rows that a query finds. */
	<T> List<T> query(Class<T> type, String sql, Object... parameters) throws SQLException {
		try (PreparedStatement statement = prepare(sql, parameters); ResultSet rows = statement.executeQuery()) {
			List<T> values = new ArrayList<>();
			while (rows.next()) {
				values.add(rows.getObject(1, type));
			}
			return values;
		}
	}

	private PreparedStatement prepare(String sql, Object... parameters) throws SQLException {
		PreparedStatement statement = this.connection.prepareStatement(sql, Statement.NO_GENERATED_KEYS);
		for (int i = 0; i < parameters.length; i++) {
			statement.setObject(i + 1, parameters[i]);
		}
		return statement;
	}

	/** Returns what copies many rows from or to the server. */
	CopyManager copies() throws SQLException {
		return new CopyManager(this.connection.unwrap(BaseConnection.class));
	}

	/** Does all work in one transaction, or nothing of it. */
	<T> T inTransaction(Work<T> work) throws SQLException {
		return inTransaction(Connection.TRANSACTION_READ_COMMITTED, work);
	}

	/** Does work in one transaction whose statements all see the same rows. */
	<T> T inSnapshot(Work<T> work) throws SQLException {
		return inTransaction(Connection.TRANSACTION_REPEATABLE_READ, work);
	}

	private <T> T inTransaction(int isolation, Work<T> work) throws SQLException {
		this.connection.setTransactionIsolation(isolation);
		this.connection.setAutoCommit(false);
		try {
			T result = work.run();
			this.connection.commit();
			this.connection.setAutoCommit(true);
			return result;
		}
		catch (SQLException | RuntimeException ex) {
			rollBack(ex);
			throw ex;
		}
	}

	/**
	 * Rolls back, so that {@code setAutoCommit} does not commit; keeps the first error.
	 */
	private void rollBack(Exception error) {
		try {
			this.connection.rollback();
			this.connection.setAutoCommit(true);
		}
		catch (SQLException ex) {
			error.addSuppressed(ex);
		}
	}

	@Override
	public void close() throws SQLException {
		this.connection.close();
	}

	/**
	 * What is done in a transaction.
	 *
	 * @param <T> the type of the result
	 */
	interface Work<T> {

		/** Does the work. */
		T run() throws SQLException;

	}

}
