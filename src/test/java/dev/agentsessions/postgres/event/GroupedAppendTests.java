package dev.agentsessions.postgres.event;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;

import dev.agentsessions.postgres.PostgresTest;
import dev.agentsessions.session.contract.AppendPathContract;
import dev.agentsessions.session.contract.Stores;

/** The contract of appends on PostgreSQL where each is one of a group. */
class GroupedAppendTests {

	@PostgresTest
	abstract static class Forced extends AppendPathContract {

		@Autowired
		private ApplicationContext context;

		private Stores store;

		abstract int size();

		@BeforeEach
		void forceGroups() {
			this.store = ForcedGroups.store(size(), this.context);
		}

		@Override
		public Stores store() {
			return this.store;
		}

	}

	@Nested
	class OfOne extends Forced {

		@Override
		int size() {
			return 1;
		}

	}

	@Nested
	class OfTwo extends Forced {

		@Override
		int size() {
			return 2;
		}

	}

	@Nested
	class OfSixtyFour extends Forced {

		@Override
		int size() {
			return 64;
		}

	}

}
