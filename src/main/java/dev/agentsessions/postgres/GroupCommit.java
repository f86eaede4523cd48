package dev.agentsessions.postgres;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
import org.springframework.stereotype.Component;

import dev.agentsessions.session.AppendOutcome.Stored;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.SessionException;

/**
 * Has appends that wait at the same moment go to the database together. Each writer takes
 * whatever is waiting, so nobody waits for company: an append that comes alone goes
 * alone, at once.
 */
@Component
class GroupCommit implements DisposableBean {

	private final BlockingQueue<WaitingAppend> queue;

	private final ExecutorService writers;

	GroupCommit(AppendProperties properties, GroupAppendStatement statement, DatabaseTimeouts timeouts) {
		this.queue = new LinkedBlockingQueue<>(properties.queueCapacity());
		this.writers = Executors.newFixedThreadPool(properties.writers(), new CustomizableThreadFactory("append-"));
		for (int i = 0; i < properties.writers(); i++) {
			this.writers.execute(new GroupAppendWriter(this.queue, properties.batchSize(), statement, timeouts));
		}
	}

	/**
	 * Appends, and waits until the event is durably stored.
	 * @return the event, empty if it was not stored and has to be tried alone
	 * @throws SessionException.Unavailable if too many appends are waiting, or the
	 * database does not answer
	 */
	Optional<Stored> append(GroupedAppend append) {
		WaitingAppend waiting = new WaitingAppend(append);
		if (!this.queue.offer(waiting)) {
			throw new SessionException.Unavailable(new ConcurrencyFailureException("Too many appends are waiting"));
		}
		try {
			return waiting.stored().join();
		}
		catch (CompletionException ex) {
			throw (ex.getCause() instanceof SessionException cause) ? cause : ex;
		}
	}

	/** The web server has answered its last request by then, so nobody waits any more. */
	@Override
	public void destroy() {
		this.writers.shutdownNow();
	}

}
