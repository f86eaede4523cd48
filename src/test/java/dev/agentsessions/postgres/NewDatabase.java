package dev.agentsessions.postgres;

import java.util.UUID;

import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** Another, empty database of the PostgreSQL that the tests share. */
public final class NewDatabase {

	private NewDatabase() {
	}

	/** Creates one. It goes with the server, when the tests end. */
	public static DriverManagerDataSource create(JdbcConnectionDetails server) {
		String name = "test_" + UUID.randomUUID().toString().replace('-', '_');
		new JdbcTemplate(dataSource(server.getJdbcUrl(), server)).execute("create database " + name);
		return dataSource(server.getJdbcUrl().replaceFirst("/[^/?]*\\?", "/" + name + "?"), server);
	}

	private static DriverManagerDataSource dataSource(String url, JdbcConnectionDetails server) {
		return new DriverManagerDataSource(url, server.getUsername(), server.getPassword());
	}

}
