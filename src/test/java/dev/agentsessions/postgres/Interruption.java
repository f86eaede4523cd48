package dev.agentsessions.postgres;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;

/** Another request that comes before one of the statements of a request. */
public final class Interruption {

	private static final int MILLIS_TO_BLOCK = 300;

	private Interruption() {
	}

	/**
	 * Runs an action, and another one before its statement with a number, counted from 1.
	 * The action goes on after the other one, or after 300 ms: then the other one waits
	 * for a lock of the action.
	 * @return whether the action has that number of statements; both have ended
	 */
	public static boolean before(int statement, Runnable other, Runnable action) {
		AtomicInteger statements = new AtomicInteger();
		AtomicReference<@Nullable CompletableFuture<Void>> interruption = new AtomicReference<>();
		StatementRecorder.callBeforeEach(() -> {
			if (interruption.get() == null && statements.incrementAndGet() == statement) {
				CompletableFuture<Void> started = Concurrently.start(other);
				interruption.set(started);
				awaitUnlessBlocked(started);
			}
		}, () -> {
			action.run();
			return true;
		});
		CompletableFuture<Void> started = interruption.get();
		if (started != null) {
			started.join();
		}
		return started != null;
	}

	private static void awaitUnlessBlocked(CompletableFuture<Void> other) {
		try {
			other.get(MILLIS_TO_BLOCK, TimeUnit.MILLISECONDS);
		}
		catch (TimeoutException ex) {
			return;
		}
		catch (InterruptedException | ExecutionException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
