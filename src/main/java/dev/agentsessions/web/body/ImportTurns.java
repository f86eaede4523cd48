package dev.agentsessions.web.body;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

import dev.agentsessions.session.SessionException;

/**
 * Limits how many imports a replica reads at once; the others wait for their turn. An
 * import may last for hours, so one caller gets only some of the turns.
 */
@Component
class ImportTurns {

	/** What one import holds in bytes, but for a large line. */
	static final int BYTES_OF_TURN = 1 << 20;

	/** The share of the heap that all turns have together. */
	private static final int SHARE_OF_HEAP = 32;

	/** The share of the turns that one caller may have. */
	private static final int SHARE_OF_CALLER = 4;

	/** How many imports may wait, so that they do not take all threads. */
	private static final int MOST_WAITING = 32;

	/** How long an import waits for its turn, and for the memory of a large line. */
	static final int SECONDS_TO_WAIT = 60;

	private final Semaphore all;

	/** Each stands here as long as an import of the caller waits or is read. */
	private final LoadingCache<String, Semaphore> ofCallers;

	@Autowired
	ImportTurns() {
		this((int) Math.max(1, Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP / BYTES_OF_TURN));
	}

	/**
	 * Creates turns.
	 * @param turns how many imports are read at once
	 */
	ImportTurns(int turns) {
		this.all = new Semaphore(turns, true);
		this.ofCallers = Caffeine.newBuilder()
			.weakValues()
			.build((caller) -> new Semaphore(Math.max(1, turns / SHARE_OF_CALLER), true));
	}

	/**
	 * Waits for a turn.
	 * @param caller the name of the caller, {@code null} in open access, which has no
	 * limit for each
	 * @return the turn, to be closed
	 * @throws SessionException.Unavailable if none is free within a minute, or if too
	 * many imports wait already
	 */
	Turn take(@Nullable String caller) {
		Semaphore own = (caller != null) ? this.ofCallers.get(caller) : new Semaphore(1);
		acquire(own);
		try {
			acquire(this.all);
		}
		catch (SessionException.Unavailable ex) {
			own.release();
			throw ex;
		}
		return () -> {
			this.all.release();
			own.release();
		};
	}

	private static void acquire(Semaphore turns) {
		if (turns.getQueueLength() >= MOST_WAITING || !acquireInTime(turns)) {
			throw new SessionException.Unavailable("Too many imports are there at once. Please retry.");
		}
	}

	private static boolean acquireInTime(Semaphore turns) {
		try {
			return turns.tryAcquire(SECONDS_TO_WAIT, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

	/** The turn of one import, from its first line to its last. */
	interface Turn extends AutoCloseable {

		@Override
		void close();

	}

}
