package dev.agentsessions.postgres;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

import dev.agentsessions.session.SessionException;

/**
 * Lets only a quarter of the connections do work whose cost grows with the length of a
 * history. The other requests find a connection at any time. Heavy work waits for its
 * turn as long as a statement may take.
 */
@Component
public class HeavyReads {

	private static final String TOO_MANY = "Too many long histories are read or copied at once. Please retry.";

	private static final int SHARE_OF_POOL = 4;

	private final Semaphore turns;

	private final ThreadLocal<Boolean> inside = ThreadLocal.withInitial(() -> false);

	private final DatabaseTimeouts timeouts;

	HeavyReads(Environment environment, DatabaseTimeouts timeouts) {
		int connections = environment.getProperty(WriteGate.POOL_SIZE, Integer.class, 10);
		this.turns = new Semaphore(Math.max(1, connections / SHARE_OF_POOL), true);
		this.timeouts = timeouts;
	}

	/**
	 * Does heavy work when it is its turn. Heavy work inside of other heavy work belongs
	 * to the same turn. Do not call it within a transaction: that has a connection
	 * already, and would keep it while it waits.
	 * @throws SessionException.Unavailable if the turn does not come in time
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
			this.turns.release();
		}
	}

	private void take() {
		try {
			if (!this.turns.tryAcquire(this.timeouts.nanosLeft(System.nanoTime()), TimeUnit.NANOSECONDS)) {
				throw new SessionException.Unavailable(TOO_MANY);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new SessionException.Unavailable(TOO_MANY, ex);
		}
	}

}
