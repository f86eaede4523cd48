package dev.agentsessions.postgres;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

import dev.agentsessions.session.SessionException;

/**
 * Lets at most a quarter of the connections do work whose cost grows with the number of
 * events. So other requests find a connection at any time. Heavy work waits for a permit
 * at most as long as a statement may take.
 */
@Component
public class HeavyReads {

	private static final String TOO_MANY = "Too many long histories are read or copied at once. Please retry.";

	/** One connection in this number may do heavy work. */
	private static final int SHARE_OF_POOL = 4;

	private final Semaphore permits;

	private final ThreadLocal<Boolean> inside = ThreadLocal.withInitial(() -> false);

	private final DatabaseTimeouts timeouts;

	HeavyReads(Environment environment, DatabaseTimeouts timeouts) {
		int connections = environment.getProperty(WriteGate.POOL_SIZE, Integer.class, 10);
		this.permits = new Semaphore(Math.max(1, connections / SHARE_OF_POOL), true);
		this.timeouts = timeouts;
	}

	/**
	 * Runs heavy work when there is a permit. Heavy work within other heavy work uses the
	 * same permit. Do not call it within a transaction, which would keep its connection
	 * while it waits.
	 * @throws SessionException.Unavailable if there is no permit in time
	 */
	public <T> T run(Supplier<T> work) {
		if (this.inside.get()) {
			return work.get();
		}
		take();
		this.inside.set(true);
		try {
			return work.get();
		}
		finally {
			this.inside.remove();
			this.permits.release();
		}
	}

	private void take() {
		try {
			if (!this.permits.tryAcquire(this.timeouts.nanosLeft(System.nanoTime()), TimeUnit.NANOSECONDS)) {
				throw new SessionException.Unavailable(TOO_MANY);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new SessionException.Unavailable(TOO_MANY, ex);
		}
	}

}
