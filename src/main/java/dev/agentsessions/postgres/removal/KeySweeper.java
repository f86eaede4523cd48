package dev.agentsessions.postgres.removal;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.DistributionProperties;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.postgres.removal.RemovalStatements.DeletedEvents;
import dev.agentsessions.session.SessionException;

/**
 * Removes the rows under {@link KeysToSweep keys} that no session has, in transactions of
 * bounded size. Each transaction locks the keys that it works on. After an interruption,
 * the next sweep goes on.
 */
@Component
public class KeySweeper implements Runnable {

	private static final Logger log = LoggerFactory.getLogger(KeySweeper.class);

	/** About a thousand small events, or some that are large, go in one transaction. */
	static final long WEIGHT_OF_BATCH = 1000L * RemovalStatements.WEIGHT_OF_EVENT;

	private static final int KEYS_OF_BATCH = 100;

	private final Transactions transactions;

	private final KeysToSweep keysToSweep;

	private final RemovalStatements statements;

	private final boolean distributed;

	KeySweeper(Transactions transactions, KeysToSweep keysToSweep, RemovalStatements statements,
			DistributionProperties properties) {
		this.transactions = transactions;
		this.keysToSweep = keysToSweep;
		this.statements = statements;
		this.distributed = properties.distributed();
	}

	/** Sweeps all keys that are due. Replicas share the work. */
	@Override
	public void run() {
		List<UUID> keys = due(new UUID(0, 0));
		while (!keys.isEmpty()) {
			trySweep(keys);
			keys = due(keys.get(keys.size() - 1));
		}
	}

	private List<UUID> due(UUID after) {
		try {
			return this.transactions.statement(() -> this.keysToSweep.due(after, KEYS_OF_BATCH));
		}
		catch (SessionException.Unavailable ex) {
			log.warn("Rows of removed sessions are deleted later, because the database does not answer");
			return List.of();
		}
	}

	/**
	 * Removes what there is under keys, as far as no other sweep does it. What cannot be
	 * removed now, the next sweep removes.
	 */
	void trySweep(List<UUID> keys) {
		try {
			sweep(keys, this.keysToSweep::lockDueAndFree);
		}
		catch (SessionException.Unavailable ex) {
			log.warn("Rows of removed sessions are deleted later: {}", ex.getMessage());
		}
	}

	/**
	 * Removes what an import or a fork has written that does not come to its end. What
	 * cannot be removed now, a later sweep removes.
	 */
	public void giveUp(UUID key) {
		try {
			this.transactions.write(() -> {
				this.keysToSweep.giveUp(key);
				return true;
			});
		}
		catch (SessionException.Unavailable ex) {
			log.warn("Rows of an unfinished session are deleted later: {}", ex.getMessage());
			return;
		}
		trySweep(List.of(key));
	}

	/**
	 * Removes what there is under keys; when it returns, all is gone.
	 * @return how many events this call has removed
	 */
	long sweep(List<UUID> keys) {
		return sweep(keys, this.keysToSweep::lockDue);
	}

	/** One after the other where each may be on another machine. */
	private long sweep(List<UUID> keys, Function<Collection<UUID>, List<UUID>> lock) {
		return this.distributed ? keys.stream().mapToLong((key) -> sweepTogether(List.of(key), lock)).sum()
				: sweepTogether(keys, lock);
	}

	private long sweepTogether(List<UUID> keys, Function<Collection<UUID>, List<UUID>> lock) {
		Map<UUID, Long> left = new HashMap<>();
		keys.forEach((key) -> left.put(key, 0L));
		long events = 0;
		while (!left.isEmpty()) {
			Step step = this.transactions.write(() -> step(lock.apply(left.keySet()), left));
			events += step.events;
			left.clear();
			left.putAll(step.left);
		}
		return events;
	}

	/**
	 * One transaction.
	 * @param locked the keys whose rows it may remove
	 * @param places after which seq each has its first event
	 */
	private Step step(List<UUID> locked, Map<UUID, Long> places) {
		Step step = new Step();
		for (UUID key : locked) {
			long after = places.getOrDefault(key, 0L);
			if (step.weight <= 0) {
				step.left.put(key, after);
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
			step.left.put(key, Math.max(after, deleted.last()));
		}
	}

	/** What a transaction has done. */
	private static final class Step {

		private final List<UUID> done = new ArrayList<>();

		private final Map<UUID, Long> left = new HashMap<>();

		private long weight = WEIGHT_OF_BATCH;

		private long events;

	}

}
