package dev.agentsessions.postgres.event;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.agentsessions.postgres.append.QueuedAppend;
import dev.agentsessions.postgres.session.SessionRow;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.event.AppendResult;
import dev.agentsessions.session.event.NewEvent;
import dev.agentsessions.session.transfer.ImportedEvent;

/**
 * An event with its place in the history.
 *
 * @param seq its place
 * @param commitTime when it counts as stored
 * @param event the event
 */
public record SequencedEvent(long seq, Instant commitTime, NewEvent event) {

	/** The first events of a session, each committed a microsecond after the last. */
	public static List<SequencedEvent> first(SessionRow session, List<NewEvent> events) {
		List<SequencedEvent> placed = new ArrayList<>();
		for (NewEvent event : events) {
			long seq = placed.size() + 1L;
			placed.add(new SequencedEvent(seq, session.commitTimeOf(seq), event));
		}
		return placed;
	}

	/** One that was appended. */
	public static SequencedEvent of(QueuedAppend append, AppendResult stored) {
		return new SequencedEvent(stored.version().revision(), stored.lastUpdateTime(), append.event());
	}

	/**
	 * Those of a group that were stored and mean something beside the state, by session.
	 */
	public static Map<UUID, List<SequencedEvent>> bySession(List<QueuedAppend> group, AppendResult[] stored) {
		Map<UUID, List<SequencedEvent>> placed = new LinkedHashMap<>();
		for (int place = 0; place < stored.length; place++) {
			QueuedAppend append = group.get(place);
			AppendResult result = stored[place];
			if (result != null && !append.event().marks().isEmpty()) {
				placed.computeIfAbsent(append.sessionKey(), (key) -> new ArrayList<>()).add(of(append, result));
			}
		}
		return placed;
	}

	public static SequencedEvent of(ImportedEvent imported) {
		return new SequencedEvent(imported.seq(), imported.commitTime(), imported.event());
	}

	public Event toEvent() {
		return new Event(this.seq, this.commitTime, this.event.id(), this.event.body());
	}

}
