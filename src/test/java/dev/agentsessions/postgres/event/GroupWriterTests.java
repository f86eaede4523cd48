package dev.agentsessions.postgres.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.AbstractList;
import java.util.UUID;

import org.junit.jupiter.api.RepeatedTest;
import org.springframework.beans.factory.annotation.Autowired;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.postgres.PostgresStoreTest;
import dev.agentsessions.postgres.Waiting;
import dev.agentsessions.postgres.state.StateRow;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.contract.Events;
import dev.agentsessions.state.StateScope;
import dev.agentsessions.support.LogsErrors;

/** Nothing that happens to a group ends the thread that stores groups. */
@LogsErrors
class GroupWriterTests extends PostgresStoreTest {

	@Autowired
	private GroupCommit groups;

	@RepeatedTest(8)
	void survivesWhatAnAppendThrows() {
		SessionName name = newSession();
		QueuedAppend broken = new QueuedAppend(name, read(name).sessionKey(), Events.append(Events.id("broken")),
				new Unreadable(), new Waiting<>());
		assertThat(broken.stored()).isNotDone();
		assertThat(this.groups.append(broken)).as("to be tried alone").isEmpty();
		assertThat(store(name, Events.id("whole")).seq()).isEqualTo(1);
	}

	/** Has room for its size, but none for its elements. */
	private static final class Unreadable extends AbstractList<StateRow> {

		private int reads;

		@Override
		public StateRow get(int index) {
			if (this.reads++ > 0) {
				throw new OutOfMemoryError("Java heap space, as a test has it");
			}
			return new StateRow(StateScope.SESSION, new UUID(0, 0), "k", JsonText.NULL);
		}

		@Override
		public int size() {
			return 1;
		}

	}

}
