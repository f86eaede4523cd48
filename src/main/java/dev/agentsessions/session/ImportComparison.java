package dev.agentsessions.session;

import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonText;

/** Compares an imported session with the one that is there, and changes nothing. */
final class ImportComparison implements ImportTarget {

	private static final String OTHER_BEGINNING = "The session is there with another initial state";

	private final Session stored;

	private final Map<String, JsonText> initialState;

	private final Iterator<Event> events;

	private final Set<String> initialKeys = new HashSet<>();

	private final Set<String> keys = new HashSet<>();

	private ImportComparison(ImportedSession session, Session stored, @Nullable Map<String, JsonText> initialState) {
		this.stored = stored;
		this.initialState = (initialState != null) ? initialState : Map.of();
		this.events = stored.events().iterator();
		boolean same = session.version().equals(stored.version())
				&& session.lastUpdateTime().equals(stored.lastUpdateTime())
				&& session.details().equals(stored.details())
				&& Objects.equals(session.forkedFrom(), stored.forkedFrom());
		check(same, "The session is there with another name, labels, end, origin, number of events or times");
		check(session.initialStateKept() == (initialState != null), OTHER_BEGINNING);
	}

	/** Compares with a session that is there. */
	static ImportComparison of(TransferStore store, ImportedSession session, Session stored) {
		return new ImportComparison(session, stored,
				store.initialState(stored.key(), stored.createTime()).orElse(null));
	}

	@Override
	public void addInitial(Map<String, JsonText> state) {
		state.forEach((key, value) -> {
			this.initialKeys.add(key);
			check(isSame(this.initialState.get(key), value), OTHER_BEGINNING + ": " + key);
		});
	}

	@Override
	public void add(Map<String, JsonText> state) {
		state.forEach((key, value) -> {
			this.keys.add(key);
			check(isSame(this.stored.state().get(key), value), "The session is there with another state: " + key);
		});
	}

	@Override
	public void add(ImportedEvent imported) {
		Event event = this.events.hasNext() ? this.events.next() : null;
		boolean same = event != null && event.seq() == imported.seq()
				&& event.commitTime().equals(imported.commitTime()) && imported.event().isSameAs(event);
		check(same, "The session is there with another event " + imported.seq());
	}

	@Override
	public boolean end() {
		check(this.initialKeys.size() == this.initialState.size(), OTHER_BEGINNING);
		check(this.keys.size() == this.stored.state().size(), "The session is there with more state");
		return false;
	}

	@Override
	public void abandon() {
		// Nothing was changed
	}

	/**
	 * How many keys have other values.
	 * @param there what is stored
	 * @param imported what it should be
	 */
	static int differences(Map<String, JsonText> there, Map<String, JsonText> imported) {
		return (int) there.entrySet()
			.stream()
			.filter((entry) -> !isSame(entry.getValue(), imported.get(entry.getKey())))
			.count();
	}

	private static boolean isSame(@Nullable JsonText one, @Nullable JsonText other) {
		return one != null && other != null && (one.equals(other) || inObject(one).meansSameAs(inObject(other), null));
	}

	private static JsonText inObject(JsonText value) {
		return new JsonText("{\"value\":" + value.text() + "}");
	}

	private static void check(boolean same, String difference) {
		if (!same) {
			throw new ImportConflictException(difference);
		}
	}

}
