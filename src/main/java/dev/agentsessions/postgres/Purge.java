package dev.agentsessions.postgres;

import java.util.List;
import java.util.UUID;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

import dev.agentsessions.session.SessionException;

/**
 * Deletes what is left of sessions that have expired: nobody finds them any more, but
 * they take up room.
 */
@Component
class Purge implements Runnable {

	private static final Logger log = LoggerFactory.getLogger(Purge.class);

	private static final UUID BEFORE_ALL = new UUID(0, 0);

	private final Transactions transactions;

	private final PurgeStatement statement;

	Purge(Transactions transactions, PurgeStatement statement) {
		this.transactions = transactions;
		this.statement = statement;
	}

	@Override
	public void run() {
		try {
			int deleted = deleteExpired();
			if (deleted > 0) {
				log.info("Deleted {} sessions that had expired", deleted);
			}
		}
		catch (SessionException.Unavailable ex) {
			log.warn("Expired sessions are deleted later, because the database does not answer");
		}
	}

	/** Deletes them batch by batch, each a transaction of its own. */
	private int deleteExpired() {
		int deleted = 0;
		List<UUID> batch = this.transactions.statement(() -> this.statement.execute(BEFORE_ALL));
		while (!batch.isEmpty()) {
			deleted += batch.size();
			UUID last = batch.get(batch.size() - 1);
			batch = this.transactions.statement(() -> this.statement.execute(last));
		}
		return deleted;
	}

}
