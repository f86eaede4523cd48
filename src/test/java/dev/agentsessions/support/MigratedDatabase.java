package dev.agentsessions.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.flywaydb.core.Flyway;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;

/**
 * Gives each context of tests a database of its own. All contexts of a JVM share one
 * PostgreSQL, and each database is a copy of one that Flyway has migrated once. To start
 * a PostgreSQL for each context, and to migrate it, took longer than the rest of the
 * start.
 */
public final class MigratedDatabase implements ApplicationContextInitializer<ConfigurableApplicationContext> {

	private static final String USER = "postgres";

	private static final String TEMPLATE = "migrated";

	/** Names a database for the tests, such as one on Citus; they fill it. */
	private static final String URL = "SPRING_DATASOURCE_URL";

	private static final AtomicInteger databases = new AtomicInteger();

	@Override
	public void initialize(ConfigurableApplicationContext context) {
		if (System.getenv().containsKey(URL)) {
			return;
		}
		String name = "context_" + databases.incrementAndGet();
		Server.execute("create database " + name + " template " + TEMPLATE);
		context.getEnvironment()
			.getPropertySources()
			.addFirst(new MapPropertySource("migrated database", Map.of("spring.datasource.url", Server.url(name),
					"spring.datasource.username", USER, "spring.datasource.password", USER)));
	}

	/** Starts with the first context and ends after all contexts. */
	private static final class Server {

		/** The pool of each context has up to ten, and no context ends before the JVM. */
		private static final String MAX_CONNECTIONS = "1000";

		private static final EmbeddedPostgres POSTGRES = start();

		private static EmbeddedPostgres start() {
			try {
				EmbeddedPostgres postgres = EmbeddedPostgres.builder()
					.setLocaleConfig("locale", "C")
					.setServerConfig("max_connections", MAX_CONNECTIONS)
					.setServerConfig("unix_socket_directories", "")
					// Only a database with synchronous_commit = on waits for it
					.setServerConfig("synchronous_standby_names", "no_standby")
					.setRegisterShutdownHook(false)
					.setOutputRedirector(Redirect.DISCARD)
					.start();
				SpringApplication.getShutdownHandlers().add(() -> close(postgres));
				execute(postgres, "create database " + TEMPLATE);
				Flyway.configure().dataSource(postgres.getJdbcUrl(USER, TEMPLATE), USER, "").load().migrate();
				return postgres;
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

		static String url(String database) {
			return POSTGRES.getJdbcUrl(USER, database);
		}

		static void execute(String statement) {
			execute(POSTGRES, statement);
		}

		private static void execute(EmbeddedPostgres postgres, String sql) {
			try (Connection connection = postgres.getPostgresDatabase().getConnection();
					Statement statement = connection.createStatement()) {
				statement.execute(sql);
			}
			catch (SQLException ex) {
				throw new IllegalStateException(ex);
			}
		}

		private static void close(EmbeddedPostgres postgres) {
			try {
				postgres.close();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

	}

}
