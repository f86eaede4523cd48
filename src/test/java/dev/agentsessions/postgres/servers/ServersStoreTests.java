package dev.agentsessions.postgres.servers;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.ContextConfiguration;

import dev.agentsessions.postgres.PostgresTest;
import dev.agentsessions.session.contract.SessionStoreContract;
import dev.agentsessions.session.contract.Stores;

/** The contract where half of the users are on another server. */
@PostgresTest
@ContextConfiguration(initializers = SecondDatabase.class)
class ServersStoreTests extends SessionStoreContract {

	@Autowired
	private Stores store;

	@Override
	public Stores store() {
		return this.store;
	}

}
