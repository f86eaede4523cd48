package dev.agentsessions.postgres;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;

import dev.agentsessions.session.SessionException;

/**
 * The result of work that waits for a thread of a lane. Its caller waits on a thread of
 * its own.
 *
 * @param <T> the type of the result
 */
public final class Waiting<T> extends CompletableFuture<T> {

	private final long since;

	public Waiting() {
		this(System.nanoTime());
	}

	/**
	 * Creates it for work that waits since a time, by {@link System#nanoTime()}.
	 */
	public Waiting(long since) {
		this.since = since;
	}

	/** Returns since when the work waits, by {@link System#nanoTime()}. */
	public long since() {
		return this.since;
	}

	/**
	 * Refuses the work if it has waited too long for a lane. Returns whether it has a
	 * result, this one or an earlier one.
	 */
	public boolean refuseIfLate(Lane lane) {
		if (!isDone() && lane.isOver(this.since)) {
			refuse(lane);
		}
		return isDone();
	}

	/** Refuses the work, because its lane cannot take it. */
	public void refuse(Lane lane) {
		completeExceptionally(lane.refuse(null));
	}

	/** Runs the work on this thread, unless it has waited too long for a lane. */
	void run(Lane lane, Supplier<T> work) {
		if (refuseIfLate(lane)) {
			return;
		}
		try {
			complete(work.get());
		}
		catch (RuntimeException | Error ex) {
			completeExceptionally(ex);
		}
	}

	/**
	 * Waits for the result. It uses no timer: one for each append cost a tenth of the
	 * throughput. Each wait of the work has a limit of its own.
	 * @throws SessionException.Unavailable if the work is refused, or the caller is
	 * interrupted; then the work is not done if it has not begun
	 */
	public T await() {
		try {
			return get();
		}
		catch (ExecutionException ex) {
			if (ex.getCause() instanceof Error error) {
				throw error;
			}
			throw (ex.getCause() instanceof RuntimeException failure) ? failure : new IllegalStateException(ex);
		}
		catch (InterruptedException ex) {
			cancel(false);
			Thread.currentThread().interrupt();
			throw new SessionException.Unavailable(Lanes.TOO_SLOW, ex);
		}
	}

}
