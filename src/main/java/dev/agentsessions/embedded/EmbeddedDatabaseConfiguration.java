package dev.agentsessions.embedded;

import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.NoneNestedConditions;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

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
		throw new NoDatabaseException();
	}

	static class NoUrl extends NoneNestedConditions {

		NoUrl() {
			super(ConfigurationPhase.PARSE_CONFIGURATION);
		}

		@ConditionalOnProperty("spring.datasource.url")
		static class Url {

		}

	}

}
