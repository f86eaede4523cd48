package dev.agentsessions.postgres;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.agentsessions.session.AppendResult;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.ImportedEvent;
import dev.agentsessions.session.NewEvent;

/**
 * An event with its place in the history.
 *
 * @param seq its place
 * @param commitTime when it counts as stored
 * @param event the event
 */
record PlacedEvent(long seq, Instant commitTime, NewEvent event) {

	/** The first events of a session, each committed a microsecond after the last. */
	static List<PlacedEvent> first(SessionRow session, List<NewEvent> events) {
		List<PlacedEvent> placed = new ArrayList<>();
		for (NewEvent event : events) {
			long seq = placed.size() + 1L;
			placed.add(new PlacedEvent(seq, session.commitTimeOf(seq), event));
		}
		return placed;
	}

	/** One that was appended. */
	static PlacedEvent of(PendingAppend append, AppendResult stored) {
		return new PlacedEvent(stored.version().revision(), stored.lastUpdateTime(), append.event());
	}

	/**
	 * Those of a group that were stored and mean something beside the state, by session.
	 */
	static Map<UUID, List<PlacedEvent>> bySession(List<PendingAppend> group, AppendResult[] stored) {
		Map<UUID, List<PlacedEvent>> placed = new LinkedHashMap<>();
		for (int place = 0; place < stored.length; place++) {
			PendingAppend append = group.get(place);
			AppendResult result = stored[place];
			if (result != null && !append.event().marks().isEmpty()) {
				placed.computeIfAbsent(append.sessionKey(), (key) -> new ArrayList<>()).add(of(append, result));
			}
		}
		return placed;
	}

	static PlacedEvent of(ImportedEvent imported) {
		return new PlacedEvent(imported.seq(), imported.commitTime(), imported.event());
	}

	Event toEvent() {
		return new Event(this.seq, this.commitTime, this.event.id(), this.event.body());
	}

}
