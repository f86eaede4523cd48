package dev.agentsessions.postgres;

import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import dev.agentsessions.postgres.Lanes.Callers;
import dev.agentsessions.session.SessionException;

/**
 * A number of connections for one kind of work. Work waits for one of them for a limited
 * time, first come, first served.
 */
public final class Lane {

	/** The lanes in which this thread works, the newest first. */
	private static final ThreadLocal<@Nullable Visit> visits = new ThreadLocal<>();

	private final String name;

	private final int connections;

	private final Semaphore permits;

	private final long maxWaitNanos;

	private final String refusal;

	/** The permits of the current caller; empty if it may use the whole lane. */
	private final Supplier<Optional<Semaphore>> ofCaller;

	private final Counter refusals;

	/**
	 * Creates a lane.
	 * @param name the value of the tag {@code lane} of its metric
	 * @param connections how much work may have a connection at once
	 * @param maxWait how long work waits for a connection; zero for no limit
	 * @param refusal what clients read if that is too long
	 */
	Lane(String name, int connections, Duration maxWait, String refusal, MeterRegistry registry) {
		this(name, connections, maxWait, refusal, Optional::empty, registry);
	}

	/**
	 * Creates a lane of which each caller may have a share.
	 * @param ofCaller returns the permits of the current caller; empty if it may use the
	 * whole lane
	 */
	Lane(String name, int connections, Duration maxWait, String refusal, Supplier<Optional<Semaphore>> ofCaller,
			MeterRegistry registry) {
		this.ofCaller = ofCaller;
		this.name = name;
		this.connections = connections;
		this.permits = new Semaphore(connections, true);
		this.maxWaitNanos = maxWait.isZero() ? Long.MAX_VALUE : maxWait.toNanos();
		this.refusal = refusal;
		this.refusals = Counter.builder("agentsessions.lane.refusals")
			.description("Work that was refused because its lane had no connection in time")
			.tag("lane", name)
			.register(registry);
	}

	/** Whether the work of this thread has a connection of some lane. */
	public static boolean isEntered() {
		return visits.get() != null;
	}

	/**
	 * Runs work when the lane has a connection for it. Work within other work of the same
	 * lane uses the same connection, and work within a transaction has one already.
	 * @throws SessionException.Unavailable if there is no connection in time, or at once
	 * if too much work of the same caller waits
	 */
	public <T> T run(Supplier<T> work) {
		return run(System.nanoTime(), Callers.MAX_WAITING, work);
	}

	/**
	 * Runs a further part of a response that may have begun, as {@link #run(Supplier)},
	 * but waits however much work of the same caller waits.
	 */
	public <T> T runNext(Supplier<T> work) {
		return run(System.nanoTime(), Integer.MAX_VALUE, work);
	}

	/**
	 * Runs work that has waited since a time, by {@link System#nanoTime()}, as
	 * {@link #run(Supplier)}.
	 */
	<T> T run(long since, Supplier<T> work) {
		return run(since, Callers.MAX_WAITING, work);
	}

	private <T> T run(long since, int maxWaiting, Supplier<T> work) {
		Visit outer = visits.get();
		if (TransactionSynchronizationManager.isActualTransactionActive() || (outer != null && outer.isIn(this))) {
			return work.get();
		}
		Supplier<T> visit = () -> holding(this.permits, since, () -> {
			visits.set(new Visit(this, outer));
			try {
				return work.get();
			}
			finally {
				visits.set(outer);
			}
		});
		Optional<Semaphore> own = this.ofCaller.get();
		if (own.isEmpty()) {
			return visit.get();
		}
		if (own.get().getQueueLength() >= maxWaiting) {
			throw refuse(null);
		}
		return holding(own.get(), since, visit);
	}

	/** Runs work while it holds a permit; waits for it as for a connection. */
	<T> T holding(Semaphore permit, long since, Supplier<T> work) {
		try {
			if (!permit.tryAcquire(this.maxWaitNanos - (System.nanoTime() - since), TimeUnit.NANOSECONDS)) {
				throw refuse(null);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw refuse(ex);
		}
		try {
			return work.get();
		}
		finally {
			permit.release();
		}
	}

	/** Whether work has waited too long since a time, by {@link System#nanoTime()}. */
	boolean isOver(long since) {
		return System.nanoTime() - since > this.maxWaitNanos;
	}

	/** Counts a refusal, and returns it. */
	SessionException.Unavailable refuse(@Nullable Throwable cause) {
		this.refusals.increment();
		return new SessionException.Unavailable(this.refusal, (cause != null) ? cause
				: new SQLTransientConnectionException("The lane " + this.name + " had no connection in time"));
	}

	/** Returns how much work may have a connection at once. */
	public int connections() {
		return this.connections;
	}

	/**
	 * The work of a thread in a lane.
	 *
	 * @param lane the lane
	 * @param outer the work around it
	 */
	private record Visit(Lane lane, @Nullable Visit outer) {

		boolean isIn(Lane other) {
			return this.lane == other || (this.outer != null && this.outer.isIn(other));
		}

	}

}
