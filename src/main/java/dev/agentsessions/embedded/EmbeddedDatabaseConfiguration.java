package dev.agentsessions.embedded;

import java.nio.file.Path;

import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.NoneNestedConditions;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

import dev.agentsessions.startup.StartupException;

/**
 * Starts a database if none is configured, or fails with instructions if none is
 * packaged.
 */
@Configuration(proxyBeanMethods = false)
@Conditional(EmbeddedDatabaseConfiguration.NoUrl.class)
class EmbeddedDatabaseConfiguration {

	private static final String POSTGRES = "io.zonky.test.db.postgres.embedded.EmbeddedPostgres";

	@Bean(destroyMethod = "close")
	@ConditionalOnClass(name = POSTGRES)
	JdbcConnectionDetails embeddedDatabase(EmbeddedProperties properties) {
		return EmbeddedDatabase.start(properties);
	}

	@Bean
	@ConditionalOnMissingClass(POSTGRES)
	JdbcConnectionDetails noDatabase() {
		throw new StartupException(
				"Agent Sessions stores its data in PostgreSQL (15 or newer), and none is configured.",
				"""
						Set three environment variables, for example:

						    SPRING_DATASOURCE_URL=jdbc:postgresql://localhost:5432/agent_sessions
						    SPRING_DATASOURCE_USERNAME=agent_sessions
						    SPRING_DATASOURCE_PASSWORD=...

						To try the service out without a database of your own, run './mvnw spring-boot:run' in its sources,
						which starts a PostgreSQL with it, or 'docker compose up'.""");
	}

	static class NoUrl extends NoneNestedConditions {

		NoUrl() {
			super(ConfigurationPhase.PARSE_CONFIGURATION);
		}

		@ConditionalOnProperty("spring.datasource.url")
		static class Url {

		}

	}

	/**
	 * The PostgreSQL that starts with the program when spring.datasource.url is not set.
	 *
	 * @param dataDirectory the folder of its data, created if it does not exist
	 * @param keepData whether the data is durable and stays at exit; if not, it is in a
	 * temporary folder that is deleted at exit
	 */
	@ConfigurationProperties("agent-sessions.embedded")
	record EmbeddedProperties(@DefaultValue("data") Path dataDirectory, @DefaultValue("true") boolean keepData) {
	}

}
