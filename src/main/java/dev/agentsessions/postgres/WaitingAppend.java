package dev.agentsessions.postgres;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import dev.agentsessions.session.AppendOutcome.Stored;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.SessionException;

/**
 * An append that waits for its turn.
 *
 * @param append what to append
 * @param sinceNanoTime since when it waits
 * @param stored the event as stored, empty if it has to be tried alone
 */
record WaitingAppend(GroupedAppend append, long sinceNanoTime, CompletableFuture<Optional<Stored>> stored) {

	WaitingAppend(GroupedAppend append) {
		this(append, System.nanoTime(), new CompletableFuture<>());
	}

	/** Answers that it has to be tried alone. */
	void leaveAlone() {
		this.stored.complete(Optional.empty());
	}

	void fail(SessionException.Unavailable failure) {
		this.stored.completeExceptionally(failure);
	}

}
