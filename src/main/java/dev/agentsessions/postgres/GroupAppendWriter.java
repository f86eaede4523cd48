package dev.agentsessions.postgres;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DuplicateKeyException;

import dev.agentsessions.session.AppendOutcome.Stored;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.SessionException;

/** Takes waiting appends, a batch at a time, and stores them. */
final class GroupAppendWriter implements Runnable {

	private static final Logger logger = LoggerFactory.getLogger(GroupAppendWriter.class);

	private final BlockingQueue<WaitingAppend> queue;

	private final int batchSize;

	private final GroupAppendStatement statement;

	private final DatabaseTimeouts timeouts;

	/** Taken from the queue, but to be stored after the batch that is being made. */
	private final Deque<WaitingAppend> next = new ArrayDeque<>();

	GroupAppendWriter(BlockingQueue<WaitingAppend> queue, int batchSize, GroupAppendStatement statement,
			DatabaseTimeouts timeouts) {
		this.queue = queue;
		this.batchSize = batchSize;
		this.statement = statement;
		this.timeouts = timeouts;
	}

	@Override
	public void run() {
		try {
			while (true) {
				storeNextBatch();
			}
		}
		catch (InterruptedException ex) {
			logger.debug("No more appends");
		}
	}

	/** Waits until an append is there, and stores it with those that wait by then. */
	void storeNextBatch() throws InterruptedException {
		List<WaitingAppend> batch = nextBatch();
		if (!batch.isEmpty()) {
			store(batch);
		}
	}

	private List<WaitingAppend> nextBatch() throws InterruptedException {
		if (this.next.isEmpty()) {
			this.next.add(this.queue.take());
		}
		this.queue.drainTo(this.next, Math.max(0, this.batchSize - this.next.size()));
		this.next.removeIf(this::isRefused);
		return compatible();
	}

	/** While the database is too slow, nobody waits for those before him as well. */
	private boolean isRefused(WaitingAppend waiting) {
		boolean over = this.timeouts.isOver(waiting.sinceNanoTime());
		if (over) {
			waiting.fail(new SessionException.Unavailable("Too many appends are waiting. Please retry."));
		}
		return over;
	}

	/**
	 * Takes those that can be stored together: one with a precondition has to be the
	 * first of its session, and no event id may come twice. The others keep their order.
	 */
	private List<WaitingAppend> compatible() {
		List<WaitingAppend> batch = new ArrayList<>();
		Set<UUID> sessions = new HashSet<>();
		Set<UUID> postponed = new HashSet<>();
		Set<List<Object>> eventIds = new HashSet<>();
		for (int count = this.next.size(); count > 0; count--) {
			WaitingAppend waiting = this.next.remove();
			UUID session = waiting.append().sessionKey();
			boolean first = sessions.add(session);
			boolean fits = (first || waiting.append().precondition().isNone()) && !postponed.contains(session)
					&& eventIds.add(List.of(session, waiting.append().event().id()));
			if (fits) {
				batch.add(waiting);
			}
			else {
				postponed.add(session);
				this.next.add(waiting);
			}
		}
		return batch;
	}

	private void store(List<WaitingAppend> batch) {
		try {
			List<GroupedAppend> appends = batch.stream().map(WaitingAppend::append).toList();
			complete(batch, this.statement.executeAlone(appends));
		}
		catch (SessionException.Unavailable ex) {
			if (batch.size() > 1 && Transactions.wasTooSlow(ex)) {
				storeOneByOne(batch, ex);
			}
			else {
				batch.forEach((waiting) -> waiting.fail(ex));
			}
		}
		catch (DuplicateKeyException ex) {
			logger.debug("Storing {} appends one by one, because an event id is known already", batch.size());
			batch.forEach(WaitingAppend::leaveAlone);
		}
		catch (RuntimeException | Error ex) {
			storeOneByOne(batch, ex);
		}
	}

	/** Only one of them may be to blame, such as for a session that somebody locked. */
	private static void storeOneByOne(List<WaitingAppend> batch, Throwable failure) {
		logger.warn("Storing {} appends one by one, because together they failed", batch.size(), failure);
		batch.forEach(WaitingAppend::leaveAlone);
	}

	private static void complete(List<WaitingAppend> batch, List<Optional<Stored>> stored) {
		for (int place = 0; place < batch.size(); place++) {
			batch.get(place).stored().complete(stored.get(place));
		}
	}

}
