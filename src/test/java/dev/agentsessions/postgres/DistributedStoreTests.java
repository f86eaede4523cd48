package dev.agentsessions.postgres;

import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.TestPropertySource;

import dev.agentsessions.session.contract.SessionStoreContract;
import dev.agentsessions.session.contract.Stores;

/**
 * The contract with the statements for distributed tables. They are right wherever the
 * tables are; deploy/citus/README.md says how to run this on Citus.
 */
@PostgresTest
@TestPropertySource(properties = { "agent-sessions.distributed=true",
		"spring.flyway.locations=classpath:db/migration,filesystem:deploy/citus" })
class DistributedStoreTests extends SessionStoreContract {

	@RegisterExtension
	private final CitusRules rules = new CitusRules();

	@Autowired
	private Stores store;

	@Override
	public Stores store() {
		return this.store;
	}

}
