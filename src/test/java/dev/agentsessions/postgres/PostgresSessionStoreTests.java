package dev.agentsessions.postgres;

import org.springframework.beans.factory.annotation.Autowired;

import dev.agentsessions.session.SessionStore;
import dev.agentsessions.session.SessionStoreContract;

/** The contract on PostgreSQL. */
@PostgresTest
class PostgresSessionStoreTests extends SessionStoreContract {

	@Autowired
	private SessionStore store;

	@Override
	public SessionStore store() {
		return this.store;
	}

}
