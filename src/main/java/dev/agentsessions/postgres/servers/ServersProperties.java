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

}
