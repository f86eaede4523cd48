package dev.agentsessions.postgres.servers;

import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

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

	ServersProperties {
		if (servers.containsKey(MAIN)) {
			throw new IllegalArgumentException(
					"agent-sessions.servers must not name '" + MAIN + "', which is the server of spring.datasource");
		}
	}

	/**
	 * How to connect to a server.
	 *
	 * @param url its JDBC URL
	 * @param username the role; {@code null} for the role at the main server
	 * @param password its password; {@code null} for the password at the main server
	 */
	record ServerProperties(String url, @Nullable String username, @Nullable String password) {
	}

}
