package dev.agentsessions.postgres;

import org.junit.jupiter.api.BeforeEach;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;

import dev.agentsessions.session.SessionStore;
import dev.agentsessions.session.AppendPathContract;

/** The contract of appends on PostgreSQL where each goes to the database on its own. */
@PostgresTest
class UngroupedAppendTests extends AppendPathContract {

	@Autowired
	private ApplicationContext context;

	private SessionStore store;

	@BeforeEach
	void switchGroupsOff() {
		this.store = ForcedGroups.storeWithout(this.context);
	}

	@Override
	public SessionStore store() {
		return this.store;
	}

}
