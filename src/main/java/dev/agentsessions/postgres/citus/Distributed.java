package dev.agentsessions.postgres.citus;

import java.util.List;
import java.util.stream.Stream;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.Placement;

/** Several machines have the rows: all rows of a session are on one of them. */
@Component
@ConditionalOnBooleanProperty("agent-sessions.distributed")
public class Distributed implements Placement {

	@Override
	public int together(int max) {
		return 1;
	}

	@Override
	public <T> Stream<List<T>> parts(List<T> items) {
		return items.stream().map(List::of);
	}

	/** The log of a coordinator says nothing about the rows, which are on the workers. */
	@Override
	public String commit() {
		return "commit";
	}

}
