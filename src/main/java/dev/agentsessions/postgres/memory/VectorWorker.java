package dev.agentsessions.postgres.memory;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

import dev.agentsessions.search.Embedder;
import dev.agentsessions.search.Embedder.EmbeddingException;
import dev.agentsessions.session.StateOwner;

/**
 * Makes vectors on a thread of its own, for one user after the other. Users that are lost
 * with the queue come again with their next search. Two replicas may do the same work,
 * and the second one stores nothing.
 */
@Component
class VectorWorker implements SmartLifecycle {

	private static final Logger logger = LoggerFactory.getLogger(VectorWorker.class);

	/** Further users are left to their next search. */
	private static final int MAX_USERS = 10_000;

	private static final Duration FIRST_PAUSE = Duration.ofMillis(200);

	private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

	/** The end of the service waits for the thread at most this long. */
	private static final Duration MAX_WAIT = Duration.ofSeconds(5);

	private final @Nullable Embedder embedder;

	private final VectorFiller filler;

	private final BlockingQueue<StateOwner> queue = new ArrayBlockingQueue<>(MAX_USERS);

	private final Set<StateOwner> queued = ConcurrentHashMap.newKeySet();

	private volatile @Nullable Thread thread;

	private Duration pause = FIRST_PAUSE;

	VectorWorker(ObjectProvider<Embedder> embedder, VectorFiller filler) {
		this.embedder = embedder.getIfAvailable();
		this.filler = filler;
	}

	/** Asks for vectors of the turns of a user. */
	void offer(StateOwner user) {
		if (this.queued.add(user) && !this.queue.offer(user)) {
			this.queued.remove(user);
		}
	}

	@Override
	public boolean isAutoStartup() {
		return this.embedder != null;
	}

	@Override
	public void start() {
		Embedder model = this.embedder;
		if (model != null) {
			Thread started = new Thread(() -> work(model), "vectors");
			started.setDaemon(true);
			this.thread = started;
			started.start();
		}
	}

	private void work(Embedder model) {
		try {
			while (!Thread.currentThread().isInterrupted()) {
				StateOwner user = this.queue.take();
				this.queued.remove(user);
				if (fillNext(user, model)) {
					offer(user);
				}
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Pauses after a failure, each time for twice as long.
	 * @return whether the user needs further vectors
	 */
	private boolean fillNext(StateOwner user, Embedder model) throws InterruptedException {
		try {
			boolean more = this.filler.fillNext(user, model);
			this.pause = FIRST_PAUSE;
			return more;
		}
		catch (RuntimeException | Error ex) {
			if (!Thread.currentThread().isInterrupted()) {
				logger.warn("Vectors for the search are missing, and the next try is in {} ms: {}",
						this.pause.toMillis(), reason(ex));
			}
			Thread.sleep(this.pause.toMillis());
			Duration twice = this.pause.multipliedBy(2);
			this.pause = (twice.compareTo(LONGEST_PAUSE) < 0) ? twice : LONGEST_PAUSE;
			return true;
		}
	}

	/** Other messages may contain texts of users. */
	private static String reason(Throwable failure) {
		return (failure instanceof EmbeddingException) ? String.valueOf(failure.getMessage())
				: failure.getClass().getSimpleName();
	}

	@Override
	public void stop() {
		Thread stopped = this.thread;
		if (stopped != null) {
			stopped.interrupt();
			try {
				stopped.join(MAX_WAIT.toMillis());
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}
	}

	@Override
	public boolean isRunning() {
		Thread started = this.thread;
		return started != null && started.isAlive();
	}

}
