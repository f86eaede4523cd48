package dev.agentsessions.web.body;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.heap.HeapShare;

/**
 * Limits how many imports a replica reads at once; further imports wait for a permit. An
 * import may last for hours, so one caller gets only a share of the permits.
 */
@Component
class ImportPermits {

	/** The memory of one import in bytes, without a large line. */
	static final int BYTES_PER_IMPORT = 1 << 20;

	/** One caller may have 1/4 of the permits. */
	private static final int SHARE_OF_CALLER = 4;

	/** Maximum number of waiting imports, so that they do not use all threads. */
	private static final int MAX_WAITING = 32;

	/** How long an import waits for a permit, and for the memory of a large line. */
	static final int SECONDS_TO_WAIT = 60;

	private final Semaphore all;

	/**
	 * The permits by caller. An entry exists while an import of the caller waits or is
	 * read.
	 */
	private final LoadingCache<String, Semaphore> byCaller;

	@Autowired
	ImportPermits() {
		this((int) Math.max(1, HeapShare.IMPORTS.bytes() / BYTES_PER_IMPORT));
	}

	/**
	 * Creates permits.
	 * @param permits how many imports are read at once
	 */
	ImportPermits(int permits) {
		this.all = new Semaphore(permits, true);
		this.byCaller = Caffeine.newBuilder()
			.weakValues()
			.build((caller) -> new Semaphore(Math.max(1, permits / SHARE_OF_CALLER), true));
	}

	/**
	 * Waits for a permit.
	 * @param caller the name of the caller, {@code null} in open access, which has no
	 * limit for each caller
	 * @return the permit, which the caller of this method has to close
	 * @throws SessionException.Unavailable if no permit is free within a minute, or if
	 * too many imports already wait
	 */
	Permit take(@Nullable String caller) {
		Semaphore own = (caller != null) ? this.byCaller.get(caller) : new Semaphore(1);
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

	private static void acquire(Semaphore permits) {
		if (permits.getQueueLength() >= MAX_WAITING || !acquireInTime(permits)) {
			throw new SessionException.Unavailable("Too many imports at once. Please retry.");
		}
	}

	private static boolean acquireInTime(Semaphore permits) {
		try {
			return permits.tryAcquire(SECONDS_TO_WAIT, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

	/** The permit of one import, from its first line to its last. */
	interface Permit extends AutoCloseable {

		@Override
		void close();

	}

}
