package dev.agentsessions.postgres.servers;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Map;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.DatabaseConfiguration.StartCheck;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.startup.StartupException;

/**
 * The PostgreSQL servers besides the main one, which {@code spring.datasource} names.
 *
 * @param servers the further servers by their names, which the table {@code buckets}
 * stores; empty for one server
 */
@ConfigurationProperties("agent-sessions")
record ServersProperties(@DefaultValue Map<String, ServerProperties> servers) {

	/** The name of the main server. */
	static final String MAIN = "main";

	private static final Pattern NAME = Pattern.compile("[a-z0-9-]{1,63}");

	ServersProperties {
		servers.keySet().forEach((name) -> {
			if (name.equals(MAIN) || !NAME.matcher(name).matches()) {
				throw new IllegalArgumentException("agent-sessions.servers: the name '" + name
						+ "' must have 1 to 63 lower-case letters, digits and hyphens, and not be '" + MAIN + "'");
			}
		});
	}

	/**
	 * How to connect to a server.
	 *
	 * @param url its JDBC URL
	 * @param username the role; {@code null} for the role at the main server
	 * @param password its password; {@code null} for the password at the main server
	 */
	record ServerProperties(String url, @Nullable String username, @Nullable String password) {

		/** Returns these settings, with those of the main server in place of null. */
		ServerProperties orAs(ServerProperties main) {
			return new ServerProperties(this.url, (this.username != null) ? this.username : main.username,
					(this.password != null) ? this.password : main.password);
		}

	}

	/** A bean that is there if the settings name servers besides the main one. */
	@Target(ElementType.TYPE)
	@Retention(RetentionPolicy.RUNTIME)
	@Conditional(OnSeveralServers.NameServers.class)
	@interface OnSeveralServers {

		/** Whether the settings name a further server. */
		class NameServers implements Condition {

			@Override
			public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
				return Binder.get(context.getEnvironment())
					.bind("agent-sessions.servers", Bindable.mapOf(String.class, Object.class))
					.map((servers) -> !Map.of().equals(servers))
					.orElse(false);
			}

		}

	}

	/**
	 * Refuses to start without further servers if users are on one: their sessions would
	 * seem to be gone, and new ones would be stored on the wrong server.
	 */
	@Component
	static class NoOtherServer implements StartCheck {

		/** Whether a server says where buckets are, as only the main server does. */
		static final String MOVED = "select exists (select from buckets)";

		private final ServersProperties properties;

		private final Transactions transactions;

		private final JdbcTemplate jdbc;

		NoOtherServer(ServersProperties properties, Transactions transactions, JdbcTemplate jdbc) {
			this.properties = properties;
			this.transactions = transactions;
			this.jdbc = jdbc;
		}

		/** Returns whether a server says where buckets are. */
		static boolean hasBuckets(Transactions transactions, JdbcTemplate jdbc) {
			return Boolean.TRUE.equals(transactions.statement(() -> jdbc.queryForObject(MOVED, Boolean.class)));
		}

		/** Right after the tables are there, before anything writes to them. */
		@Override
		public int getPhase() {
			return Integer.MIN_VALUE + 1;
		}

		@Override
		public void start() {
			if (this.properties.servers().isEmpty() && hasBuckets(this.transactions, this.jdbc)) {
				throw new StartupException("Some users are on another server, and the settings name none.",
						"Set agent-sessions.servers.NAME.url for each name in the table 'buckets'.");
			}
		}

	}

}
