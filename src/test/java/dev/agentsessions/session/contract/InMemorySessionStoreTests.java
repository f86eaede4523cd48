package dev.agentsessions.session.contract;

/** The contract on the store that the tests of the service use. */
class InMemorySessionStoreTests extends SessionStoreContract {

	private final Stores store = Stores.of(new InMemorySessionStore());

	@Override
	public Stores store() {
		return this.store;
	}

}
