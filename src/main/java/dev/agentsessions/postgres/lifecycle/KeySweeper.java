package dev.agentsessions.postgres.lifecycle;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.Placement;
import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.postgres.artifact.ArtifactRemover;
import dev.agentsessions.postgres.lifecycle.KeySweeper.RemovalStatements.DeletedEvents;
import dev.agentsessions.postgres.memory.IndexLocks;
import dev.agentsessions.session.SessionException;

/**
 * Removes the rows under {@link KeysToSweep keys} that no session has, in transactions of
 * bounded size. Each transaction locks the keys that it works on. After an interruption,
 * the next sweep continues.
 */
@Component
public class KeySweeper implements Runnable {

	private static final Logger logger = LoggerFactory.getLogger(KeySweeper.class);

	/**
	 * About a thousand small events, or fewer large ones, in one transaction, in bytes.
	 */
	static final long MAX_BATCH_WEIGHT = 1000L * RemovalStatements.WEIGHT_OF_EVENT;

	private static final int MAX_BATCH_KEYS = 100;

	private final Transactions transactions;

	private final KeysToSweep keysToSweep;

	private final RemovalStatements statements;

	private final Placement placement;

	private final AtomicLong waiting = new AtomicLong();

	KeySweeper(Transactions transactions, KeysToSweep keysToSweep, RemovalStatements statements, Placement placement,
			MeterRegistry registry) {
		this.transactions = transactions;
		this.keysToSweep = keysToSweep;
		this.statements = statements;
		this.placement = placement;
		Gauge.builder("agentsessions.sweep.waiting", this.waiting, AtomicLong::doubleValue)
			.description("Keys with rows of removed sessions that the last sweep found")
			.register(registry);
	}

	/** Sweeps all keys that are due. Replicas share the work. */
	@Override
	public void run() {
		long found = 0;
		List<UUID> keys = due(ScopeKey.FIRST);
		while (!keys.isEmpty()) {
			found += keys.size();
			trySweep(keys);
			keys = due(keys.get(keys.size() - 1));
		}
		this.waiting.set(found);
	}

	private List<UUID> due(UUID after) {
		try {
			return this.transactions.statement(() -> this.keysToSweep.due(after, MAX_BATCH_KEYS));
		}
		catch (SessionException.Unavailable ex) {
			logger.warn("Rows of removed sessions are deleted later, because the database does not answer");
			return List.of();
		}
	}

	/**
	 * Removes the rows under keys, except keys that another sweep has locked. The next
	 * sweep removes what cannot be removed now.
	 */
	void trySweep(List<UUID> keys) {
		try {
			sweep(keys, this.keysToSweep::lockDueAndFree);
		}
		catch (SessionException.Unavailable ex) {
			logger.warn("Rows of removed sessions are deleted later: {}", ex.getMessage());
		}
	}

	/**
	 * Removes the rows of an import or a fork that ends without a session. A later sweep
	 * removes what cannot be removed now.
	 */
	public void giveUp(UUID key) {
		try {
			this.transactions.write(() -> this.keysToSweep.giveUp(key));
		}
		catch (SessionException.Unavailable ex) {
			logger.warn("Rows of an unfinished session are deleted later: {}", ex.getMessage());
			return;
		}
		trySweep(List.of(key));
	}

	/**
	 * Removes all rows under keys. Waits for keys that another sweep has locked.
	 * @return the number of events that this call has removed
	 */
	long sweep(List<UUID> keys) {
		return sweep(keys, this.keysToSweep::lockDue);
	}

	/** Sweeps the keys together, or one by one where each may be on another machine. */
	private long sweep(List<UUID> keys, Function<Collection<UUID>, List<UUID>> lock) {
		return this.placement.parts(keys).mapToLong((part) -> sweepTogether(part, lock)).sum();
	}

	private long sweepTogether(List<UUID> keys, Function<Collection<UUID>, List<UUID>> lock) {
		Map<UUID, Long> unfinished = new HashMap<>();
		keys.forEach((key) -> unfinished.put(key, 0L));
		long events = 0;
		while (!unfinished.isEmpty()) {
			Step step = this.transactions.write(() -> step(lock.apply(unfinished.keySet()), unfinished));
			events += step.events;
			unfinished.clear();
			unfinished.putAll(step.unfinished);
		}
		return events;
	}

	/**
	 * Removes rows in one transaction.
	 * @param locked the keys whose rows it may remove
	 * @param afterSeqs for each key a seq up to which it has no events any more
	 */
	private Step step(List<UUID> locked, Map<UUID, Long> afterSeqs) {
		Step step = new Step();
		for (UUID key : locked) {
			long after = afterSeqs.getOrDefault(key, 0L);
			if (step.weight <= 0) {
				step.unfinished.put(key, after);
			}
			else {
				sweep(key, after, step);
			}
		}
		this.keysToSweep.delete(step.done);
		return step;
	}

	private void sweep(UUID key, long after, Step step) {
		DeletedEvents deleted = this.statements.deleteEvents(key, after, step.weight);
		boolean allEvents = deleted.weight() < step.weight;
		step.weight -= deleted.weight();
		step.events += deleted.count();
		if (allEvents && this.statements.deleteOtherRows(key)) {
			step.done.add(key);
		}
		else {
			step.unfinished.put(key, Math.max(after, deleted.last()));
		}
	}

	/** The result of one transaction. */
	private static final class Step {

		private final List<UUID> done = new ArrayList<>();

		private final Map<UUID, Long> unfinished = new HashMap<>();

		private long weight = MAX_BATCH_WEIGHT;

		private long events;

	}

	/**
	 * Deletes the rows under a key that no session has, in batches of bounded size.
	 */
	@Component
	static class RemovalStatements {

		/**
		 * The weight of an event is its size plus this number of bytes, for its rows in
		 * the table and in the indexes.
		 */
		static final int WEIGHT_OF_EVENT = 4000;

		private static final String DELETE_EVENTS = """
				with batch as (
				  delete from events where session_key = ? and seq > ? and seq <= (
				    select max(seq) from (
				      select seq, sum(size + 4000::bigint) over (order by seq) - size - 4000 as before from events
				      where session_key = ? and seq > ? order by seq limit ?) as next
				    where before < ?)
				  returning seq, size)
				select count(*) as count, coalesce(max(seq), 9223372036854775807) as last,
				  coalesce(sum(size + 4000::bigint), 0) as weight from batch
				""";

		private static final String USER = "select user_key from keys_to_sweep where session_key = ?";

		private final JdbcClient jdbc;

		private final IndexLocks indexLocks;

		private final OwnedTables tables;

		private final ArtifactRemover artifacts;

		RemovalStatements(JdbcClient jdbc, IndexLocks indexLocks, OwnedTables tables, ArtifactRemover artifacts) {
			this.jdbc = jdbc;
			this.indexLocks = indexLocks;
			this.tables = tables;
			this.artifacts = artifacts;
		}

		/**
		 * Deletes events of a session after a seq, up to a weight, but one at least.
		 */
		DeletedEvents deleteEvents(UUID sessionKey, long after, long weight) {
			return this.jdbc.sql(DELETE_EVENTS)
				.params(sessionKey, after, sessionKey, after, weight / WEIGHT_OF_EVENT + 1, weight)
				.query(DeletedEvents.class)
				.single();
		}

		/**
		 * Deletes a batch of rows of each other table. The lock waits for a search that
		 * still indexes the session; a later one finds that the session is gone.
		 * @return whether all rows are deleted
		 */
		boolean deleteOtherRows(UUID sessionKey) {
			UUID user = this.jdbc.sql(USER).param(sessionKey).query(UUID.class).single();
			this.indexLocks.lock(sessionKey);
			return this.tables.sweep(user, sessionKey) & this.artifacts.deleteBatch(user, sessionKey);
		}

		/**
		 * The result of a deletion of events.
		 *
		 * @param count the number of deleted events
		 * @param last the seq of the last one; {@link Long#MAX_VALUE} if there was none
		 * @param weight their sizes, and {@link #WEIGHT_OF_EVENT} for each, in bytes
		 */
		record DeletedEvents(long count, long last, long weight) {
		}

	}

}
