package dev.agentsessions.postgres;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.jdbc.core.JdbcTemplate;

import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.StateOwner;

/** A transaction of somebody else, who holds rows for as long as it is open. */
public final class ForeignTransaction implements AutoCloseable {

	private final Connection connection;

	private ForeignTransaction(Connection connection) {
		this.connection = connection;
	}

	public static ForeignTransaction begin(JdbcConnectionDetails server) throws SQLException {
		Connection connection = DriverManager.getConnection(server.getJdbcUrl(), server.getUsername(),
				server.getPassword());
		connection.setAutoCommit(false);
		return new ForeignTransaction(connection);
	}

	/** Locks the row of a session. */
	public ForeignTransaction lock(SessionName name) throws SQLException {
		return execute("select from sessions where name_key = ? for update", ScopeKey.of(name));
	}

	/** Locks a key of a shared state, and makes it if it is not there. */
	public ForeignTransaction lock(StateOwner owner, String key) throws SQLException {
		return execute("insert into state (scope_key, key, value) values (?, ?, '0') "
				+ "on conflict (scope_key, key) do update set value = excluded.value", ScopeKey.of(owner), key);
	}

	public ForeignTransaction execute(String sql, Object... parameters) throws SQLException {
		try (PreparedStatement statement = this.connection.prepareStatement(sql)) {
			for (int index = 0; index < parameters.length; index++) {
				statement.setObject(index + 1, parameters[index]);
			}
			statement.execute();
		}
		return this;
	}

	/** Answers the number that a query finds. */
	public long count(String sql, Object parameter) throws SQLException {
		try (PreparedStatement statement = this.connection.prepareStatement(sql)) {
			statement.setObject(1, parameter);
			try (ResultSet rows = statement.executeQuery()) {
				rows.next();
				return rows.getLong(1);
			}
		}
	}

	/** Waits until somebody waits for what this transaction holds. */
	public ForeignTransaction awaitWaiting(JdbcTemplate jdbc) throws SQLException {
		int process = this.connection.unwrap(org.postgresql.PGConnection.class).getBackendPID();
		while (jdbc.queryForList("select pid from pg_stat_activity where ? = any (pg_blocking_pids(pid))", process)
			.isEmpty()) {
			Thread.onSpinWait();
		}
		return this;
	}

	public void commit() throws SQLException {
		this.connection.commit();
	}

	@Override
	public void close() throws SQLException {
		this.connection.rollback();
		this.connection.close();
	}

}
