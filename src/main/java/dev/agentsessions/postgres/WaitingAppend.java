package dev.agentsessions.postgres;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import dev.agentsessions.session.Event;

/**
 * An append that waits for its turn.
 *
 * @param append what to append
 * @param stored the event as stored, empty if it has to be tried alone
 */
record WaitingAppend(BatchedAppend append, CompletableFuture<Optional<Event>> stored) {

	WaitingAppend(BatchedAppend append) {
		this(append, new CompletableFuture<>());
	}

}
