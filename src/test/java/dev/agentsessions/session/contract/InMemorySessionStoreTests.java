package dev.agentsessions.session.contract;

import dev.agentsessions.session.manage.SessionStore;

/** The contract on the store that the tests of the service use. */
class InMemorySessionStoreTests extends SessionStoreContract {

	private final SessionStore store = new InMemorySessionStore();

	@Override
	public SessionStore store() {
		return this.store;
	}

}
