package dev.agentsessions.postgres.session;

import java.time.Instant;

import dev.agentsessions.session.Event;
import dev.agentsessions.session.event.NewEvent;
import dev.agentsessions.session.transfer.SessionImport.ImportedSession.ImportedEvent;

/**
 * An event with its seq and commit time.
 *
 * @param seq its seq in the session
 * @param commitTime its commit time
 * @param event the event
 */
public record SequencedEvent(long seq, Instant commitTime, NewEvent event) {

	public static SequencedEvent of(ImportedEvent imported) {
		return new SequencedEvent(imported.seq(), imported.commitTime(), imported.event());
	}

	public Event toEvent() {
		return new Event(this.seq, this.commitTime, this.event.id(), this.event.body());
	}

}
