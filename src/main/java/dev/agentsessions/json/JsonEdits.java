package dev.agentsessions.json;

import java.util.Map;
import java.util.TreeMap;

/** Changes a JSON text at some places, and keeps all around them as it was sent. */
public final class JsonEdits {

	private final String text;

	private final Map<Integer, Edit> edits = new TreeMap<>();

	public JsonEdits(JsonText json) {
		this.text = json.text();
	}

	/** Puts a text in the place of a value, or of a name. */
	public void replace(JsonSpan place, String by) {
		this.edits.put(place.start(), new Edit(place.end(), by));
	}

	/** Puts another member in the place of one. */
	public void replace(JsonSpan.Member place, String name, String value) {
		this.edits.put(place.name().start(), new Edit(place.value().end(), name + ":" + value));
	}

	/** Whether nothing is changed. */
	public boolean isEmpty() {
		return this.edits.isEmpty();
	}

	/** The text with its changes. */
	public JsonText result() {
		StringBuilder changed = new StringBuilder();
		int next = 0;
		for (Map.Entry<Integer, Edit> edit : this.edits.entrySet()) {
			changed.append(this.text, next, edit.getKey()).append(edit.getValue().by);
			next = edit.getValue().end;
		}
		return new JsonText(changed.append(this.text, next, this.text.length()).toString());
	}

	/**
	 * What is put where something was.
	 *
	 * @param end the place behind what was there
	 * @param by what takes its place
	 */
	private record Edit(int end, String by) {

	}

}
