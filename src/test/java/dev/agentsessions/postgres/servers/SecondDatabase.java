package dev.agentsessions.postgres.servers;

import java.util.HashMap;
import java.util.Map;

import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import dev.agentsessions.support.MigratedDatabase;

/**
 * Gives a context a main server and a server {@code b}, each a database of its own, and
 * every other bucket of users to {@code b}.
 */
final class SecondDatabase implements ApplicationContextInitializer<ConfigurableApplicationContext> {

	private static final String EVERY_OTHER_TO_B = "insert into buckets (bucket, server) "
			+ "select bucket, 'b' from generate_series(1, 255, 2) as bucket";

	private final MigratedDatabase database = new MigratedDatabase();

	@Override
	public void initialize(ConfigurableApplicationContext context) {
		this.database.initialize(context);
		Map<String, Object> second = new HashMap<>();
		Map.of("url", "url", "username", "username", "password", "password")
			.forEach((name, key) -> second.put("agent-sessions.servers.b." + key,
					context.getEnvironment().getRequiredProperty("spring.datasource." + name)));
		this.database.initialize(context);
		context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("second database", second));
		JdbcTemplate main = new JdbcTemplate(new DriverManagerDataSource(
				context.getEnvironment().getRequiredProperty("spring.datasource.url"), "postgres", "postgres"));
		main.update(EVERY_OTHER_TO_B);
	}

	/** Connects to the database of the settings with a prefix. */
	static DriverManagerDataSource dataSource(Environment environment, String prefix) {
		return new DriverManagerDataSource(environment.getRequiredProperty(prefix + "url"),
				environment.getRequiredProperty(prefix + "username"),
				environment.getRequiredProperty(prefix + "password"));
	}

}
