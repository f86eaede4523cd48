package dev.agentsessions.postgres.append;

import org.junit.jupiter.api.BeforeEach;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;

import dev.agentsessions.session.contract.Stores;

/** Many writers at once where each append goes to the database on its own. */
class UngroupedConcurrentAppendTests extends ConcurrentAppendTests {

	@Autowired
	private ApplicationContext context;

	private Stores ungrouped;

	@BeforeEach
	void switchGroupsOff() {
		this.ungrouped = ForcedGroups.storeWithout(this.context);
	}

	@Override
	public Stores store() {
		return this.ungrouped;
	}

}
