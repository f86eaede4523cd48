package dev.agentsessions.postgres;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;
import java.util.stream.Stream;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.Placement.OnOneMachine;

/** Where the rows are: all on one machine, or on several, which Citus knows. */
public interface Placement {

	/**
	 * Returns the parts of what is to be read or changed that have a statement, or a
	 * transaction, of their own each.
	 */
	<T> Stream<List<T>> parts(List<T> items);

	/**
	 * Returns how many sessions a statement may read or change together.
	 * @param max what it may do on one machine
	 */
	int together(int max);

	/** Returns whether a statement may change several sessions. */
	default boolean changesSessionsTogether() {
		return together(2) > 1;
	}

	/** Returns the statement that ends a transaction that may have written. */
	String commit();

	/**
	 * A bean that is there if one machine has all tables. Where they are distributed, a
	 * bean of {@code postgres.citus} takes its place.
	 */
	@Target({ ElementType.TYPE, ElementType.METHOD })
	@Retention(RetentionPolicy.RUNTIME)
	@ConditionalOnBooleanProperty(name = "agent-sessions.distributed", havingValue = false, matchIfMissing = true)
	@interface OnOneMachine {

	}

	/** One PostgreSQL has all rows. */
	@Component
	@OnOneMachine
	class OneMachine implements Placement {

		/**
		 * A commit waits for its synchronous replicas only if the transaction has added
		 * rows to the log. Without rows, it writes a message that PostgreSQL ignores. The
		 * log has one order, so the replica then also has what this transaction has read.
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

	/**
	 * Whether the tables are distributed over several machines. Conditions of beans ask
	 * for it, such as {@link OnOneMachine}; this class makes the setting known.
	 *
	 * @param distributed whether a Citus cluster has distributed each table by its first
	 * column; then a statement reads and writes rows of one session only, and each append
	 * is stored alone
	 */
	@ConfigurationProperties("agent-sessions")
	record DistributionProperties(@DefaultValue("false") boolean distributed) {
	}

}
