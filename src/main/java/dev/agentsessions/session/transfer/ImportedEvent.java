package dev.agentsessions.session.transfer;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

import dev.agentsessions.session.event.NewEvent;

/**
 * An event that has been stored elsewhere.
 *
 * @param seq its place in the history
 * @param commitTime when it was stored there, in microseconds
 * @param event the event
 */
public record ImportedEvent(long seq, Instant commitTime, NewEvent event) {

	public ImportedEvent {
		commitTime = commitTime.truncatedTo(ChronoUnit.MICROS);
	}

}
