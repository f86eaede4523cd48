package dev.agentsessions.session;

import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonText;

/** Compares an imported session with the one that is there, and changes nothing. */
final class ImportComparison implements ImportTarget {

	private final Session stored;

	private final Iterator<Event> events;

	private final Set<String> keys = new HashSet<>();

	ImportComparison(ImportedSession session, Session stored) {
		this.stored = stored;
		this.events = stored.events().iterator();
		boolean same = session.version().equals(stored.version())
				&& session.lastUpdateTime().equals(stored.lastUpdateTime())
				&& session.details().equals(stored.details());
		check(same, "The session is there with another name, labels, end, number of events or times");
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
