package dev.agentsessions.postgres.servers;

import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.context.ConfigurationPropertiesAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.metrics.DataSourcePoolMetricsAutoConfiguration;
import org.springframework.boot.persistence.autoconfigure.PersistenceExceptionTranslationAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionManagerCustomizationAutoConfiguration;

/**
 * What Spring Boot adds to the store of a further server. It is no component, and stands
 * in no component, so that the context of the main server does not read it.
 */
@AutoConfigurationPackage(basePackages = StoreOfServer.PACKAGE)
@ImportAutoConfiguration({ ConfigurationPropertiesAutoConfiguration.class, DataSourceAutoConfiguration.class,
		DataSourceTransactionManagerAutoConfiguration.class, JdbcTemplateAutoConfiguration.class,
		JdbcClientAutoConfiguration.class, DataSourcePoolMetricsAutoConfiguration.class,
		HibernateJpaAutoConfiguration.class, DataJpaRepositoriesAutoConfiguration.class,
		PersistenceExceptionTranslationAutoConfiguration.class, FlywayAutoConfiguration.class,
		TransactionAutoConfiguration.class, TransactionManagerCustomizationAutoConfiguration.class,
		TaskSchedulingAutoConfiguration.class })
class StoreOfServer {

	static final String PACKAGE = "dev.agentsessions.postgres";

}
