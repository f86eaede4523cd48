package dev.agentsessions.postgres.servers;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;

import org.jspecify.annotations.Nullable;
import org.postgresql.copy.CopyManager;
import org.postgresql.core.BaseConnection;
import org.springframework.boot.jdbc.autoconfigure.DataSourceProperties;

import dev.agentsessions.postgres.servers.MoveBuckets.MoveException;
import dev.agentsessions.postgres.servers.ServersProperties.NoOtherServer;
import dev.agentsessions.postgres.servers.ServersProperties.ServerProperties;

/** The connections of {@link MoveBuckets} to all servers. */
final class MoveConnections implements AutoCloseable {

	private static final String CONNECTIONS = """
			select count(*) from pg_stat_activity
			where datname = current_database() and pid <> pg_backend_pid() and application_name = ?
			""";

	private static final String VERSION = """
			select version from %s where success and version is not null
			order by cast(string_to_array(version, '.') as int[]) desc limit 1
			""";

	private static final String UNDEFINED_TABLE = "42P01";

	private final Map<String, MoveConnection> servers = new LinkedHashMap<>();

	private @Nullable RunningReplicas replicas;

	private MoveConnections() {
	}

	/**
	 * Connects to all servers.
	 * @param main the settings of the main server
	 * @param further those of the others
	 * @param driver the properties that the driver gets for each of them
	 * @throws MoveException if a server cannot be reached
	 */
	static MoveConnections connect(DataSourceProperties main, ServersProperties further, Properties driver)
			throws SQLException {
		String url = main.getUrl();
		if (url == null) {
			throw new MoveException("spring.datasource.url is not set, so there is only one server.");
		}
		ServerProperties ofMain = new ServerProperties(url, main.getUsername(), main.getPassword());
		MoveConnections all = new MoveConnections();
		try {
			all.servers.put(ServersProperties.MAIN, connect(ServersProperties.MAIN, ofMain, driver));
			all.replicas = new RunningReplicas(connect(ServersProperties.MAIN, ofMain, driver));
			for (Map.Entry<String, ServerProperties> server : further.servers().entrySet()) {
				all.servers.put(server.getKey(), connect(server.getKey(), server.getValue().orAs(ofMain), driver));
			}
			return all;
		}
		catch (RuntimeException ex) {
			all.close();
			throw ex;
		}
	}

	private static MoveConnection connect(String name, ServerProperties server, Properties driver) {
		Properties properties = new Properties();
		properties.putAll(driver);
		if (server.username() != null) {
			properties.setProperty("user", server.username());
		}
		if (server.password() != null) {
			properties.setProperty("password", server.password());
		}
		try {
			return MoveConnection.connect(name, server.url(), properties);
		}
		catch (SQLException ex) {
			throw new MoveException("Server %s cannot be used: %s".formatted(name, ex.getMessage()));
		}
	}

	/** Returns the main server, which has the table {@code buckets}. */
	MoveConnection main() {
		return named(ServersProperties.MAIN);
	}

	RunningReplicas replicas() {
		return Objects.requireNonNull(this.replicas);
	}

	/** Returns all servers, the main one first. */
	Collection<MoveConnection> all() {
		return this.servers.values();
	}

	/**
	 * Returns a server.
	 * @throws MoveException if the settings do not name it
	 */
	MoveConnection named(String name) {
		MoveConnection server = this.servers.get(name);
		if (server == null) {
			throw new MoveException("The settings have no server '%s'. They have %s.".formatted(name,
					String.join(", ", this.servers.keySet())));
		}
		return server;
	}

	/**
	 * Refuses servers to which another move is connected, or a replica that would not see
	 * that buckets are moved: its connections have the name that the driver gives them.
	 * @throws MoveException if such a replica or another move is connected to one
	 */
	void refuseOthers() throws SQLException {
		for (MoveConnection server : all()) {
			int ofLocks = (server == main()) ? 1 : 0;
			if (connections(server, MoveConnection.APPLICATION) > ofLocks) {
				throw new MoveException(
						"Server %s has another connection of %s: another move is running, ".formatted(server.name(),
								MoveConnection.APPLICATION) + "or two servers of the settings are the same database.");
			}
			long replicas = connections(server, server.applicationOfReplicas());
			if (replicas > 0) {
				throw new MoveException(("Server %s has %d connections of replicas whose settings name one server only "
						+ "(application_name '%s'). Stop these replicas first.")
					.formatted(server.name(), replicas, server.applicationOfReplicas()));
			}
		}
	}

	private static long connections(MoveConnection server, String application) throws SQLException {
		return server.query(Long.class, CONNECTIONS, application).get(0);
	}

	/**
	 * Refuses servers whose tables are not those of this program: it would not move the
	 * rows of tables that it does not know.
	 * @param table the table in which Flyway notes the version of the schema
	 * @param version the version that this program has
	 * @throws MoveException if a server has another version
	 */
	void refuseOtherSchemas(String table, String version) throws SQLException {
		for (MoveConnection server : all()) {
			String found = versionOf(server, table);
			if (!found.equals(version)) {
				throw new MoveException(
						"The tables of server %s have version %s, and this program needs %s. ".formatted(server.name(),
								found, version) + "Start a replica of this program with all servers once.");
			}
		}
	}

	private static String versionOf(MoveConnection server, String table) throws SQLException {
		try {
			List<String> versions = server.query(String.class, VERSION.formatted(table));
			return versions.isEmpty() ? "0" : versions.get(0);
		}
		catch (SQLException ex) {
			if (UNDEFINED_TABLE.equals(ex.getSQLState())) {
				return "0";
			}
			throw ex;
		}
	}

	/**
	 * Refuses the main server under another name. Its buckets would seem to be where the
	 * settings say that the main server is, and what that one does not have would be
	 * deleted.
	 * @throws MoveException if another server than the main one says where buckets are
	 */
	void refuseOtherMain() throws SQLException {
		for (MoveConnection server : all()) {
			if (server != main() && server.query(Boolean.class, NoOtherServer.MOVED).get(0)) {
				throw new MoveException(
						"Server %s has rows in the table 'buckets', so it is the main server. ".formatted(server.name())
								+ "Correct the settings.");
			}
		}
	}

	@Override
	public void close() throws SQLException {
		if (this.replicas != null) {
			this.replicas.close();
		}
		for (MoveConnection server : all()) {
			server.close();
		}
	}

	/**
	 * A connection of {@link MoveBuckets} to a server. Statements have no time-out: a
	 * bucket may have many rows.
	 */
	static final class MoveConnection implements AutoCloseable {

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

		private MoveConnection(String name, Connection connection, String applicationOfReplicas) {
			this.name = name;
			this.connection = connection;
			this.applicationOfReplicas = applicationOfReplicas;
		}

		/**
		 * Connects to a server.
		 * @param name the name of the server in the settings
		 * @param url its JDBC URL
		 * @param properties the properties of the driver that the replicas have too, so
		 * that the connection first gets their name
		 */
		static MoveConnection connect(String name, String url, Properties properties) throws SQLException {
			Connection connection = DriverManager.getConnection(url, properties);
			try {
				MoveConnection unnamed = new MoveConnection(name, connection, "");
				String application = unnamed.query(String.class, "select current_setting('application_name')").get(0);
				unnamed.execute("set application_name = '" + APPLICATION + "'");
				unnamed.execute("set statement_timeout = 0");
				unnamed.execute("set idle_in_transaction_session_timeout = 0");
				unnamed.query(String.class, COMMIT_DURABLY);
				return new MoveConnection(name, connection, application);
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
		<T> List<T> query(Class<T> type, String sql, @Nullable Object... parameters) throws SQLException {
			try (PreparedStatement statement = prepare(sql, parameters); ResultSet rows = statement.executeQuery()) {
				List<T> values = new ArrayList<>();
				while (rows.next()) {
					values.add(rows.getObject(1, type));
				}
				return values;
			}
		}

		private PreparedStatement prepare(String sql, @Nullable Object... parameters) throws SQLException {
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
		 * Rolls back, so that {@code setAutoCommit} does not commit; keeps the first
		 * error.
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

}
