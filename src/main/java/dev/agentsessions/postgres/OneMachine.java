package dev.agentsessions.postgres;

import java.util.List;
import java.util.stream.Stream;

import org.springframework.stereotype.Component;

/** One PostgreSQL has all rows. */
@Component
@OnOneMachine
public class OneMachine implements Placement {

	/**
	 * A commit waits for its synchronous replicas only if the transaction has added rows
	 * to the log. Without rows, it writes a message that PostgreSQL ignores. The log has
	 * one order, so the replica then also has what this transaction has read.
	 */
	private static final String COMMIT = """
			select case when pg_current_xact_id_if_assigned() is null
			then pg_logical_emit_message(true, 'agent-sessions', '') end; commit""";

	@Override
	public int together(int max) {
		return max;
	}

	@Override
	public <T> Stream<List<T>> parts(List<T> items) {
		return Stream.of(items);
	}

	@Override
	public String commit() {
		return COMMIT;
	}

}
