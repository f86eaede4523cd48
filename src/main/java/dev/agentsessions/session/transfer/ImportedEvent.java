package dev.agentsessions.session.transfer;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

import dev.agentsessions.session.event.NewEvent;

/**
 * An event from another store.
 *
 * @param seq its seq
 * @param commitTime when it was stored there, in microseconds
 * @param event the event
 */
public record ImportedEvent(long seq, Instant commitTime, NewEvent event) {

	public ImportedEvent {
		commitTime = commitTime.truncatedTo(ChronoUnit.MICROS);
	}

	/** Returns the copy of the event for a session with another name. */
	ImportedEvent restored() {
		return new ImportedEvent(this.seq, this.commitTime, this.event.restored());
	}

}
