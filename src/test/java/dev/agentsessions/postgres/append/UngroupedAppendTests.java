package dev.agentsessions.postgres.append;

import org.junit.jupiter.api.BeforeEach;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;

import dev.agentsessions.postgres.PostgresTest;
import dev.agentsessions.session.contract.AppendPathContract;
import dev.agentsessions.session.contract.Stores;

/** The contract of appends on PostgreSQL where each goes to the database on its own. */
@PostgresTest
class UngroupedAppendTests extends AppendPathContract {

	@Autowired
	private ApplicationContext context;

	private Stores store;

	@BeforeEach
	void switchGroupsOff() {
		this.store = ForcedGroups.storeWithout(this.context);
	}

	@Override
	public Stores store() {
		return this.store;
	}

}
