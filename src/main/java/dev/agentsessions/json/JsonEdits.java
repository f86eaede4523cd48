package dev.agentsessions.json;

import java.util.Map;
import java.util.TreeMap;

/** Replaces values and members of a JSON text and leaves the rest as it was sent. */
public final class JsonEdits {

	private final String text;

	private final Map<Integer, Edit> edits = new TreeMap<>();

	public JsonEdits(JsonText json) {
		this.text = json.text();
	}

	/** Replaces a value or a name. */
	public void replace(JsonSpan span, String replacement) {
		this.edits.put(span.start(), new Edit(span.end(), replacement));
	}

	/** Replaces a member. */
	public void replace(JsonSpan.Member member, String name, String value) {
		this.edits.put(member.name().start(), new Edit(member.value().end(), name + ":" + value));
	}

	public boolean isEmpty() {
		return this.edits.isEmpty();
	}

	/** Returns the text with all edits. */
	public JsonText result() {
		StringBuilder changed = new StringBuilder();
		int next = 0;
		for (Map.Entry<Integer, Edit> edit : this.edits.entrySet()) {
			changed.append(this.text, next, edit.getKey()).append(edit.getValue().replacement);
			next = edit.getValue().end;
		}
		return new JsonText(changed.append(this.text, next, this.text.length()).toString());
	}

	/**
	 * The replacement of a part of the text.
	 *
	 * @param end the offset after the replaced part
	 * @param replacement the new text
	 */
	private record Edit(int end, String replacement) {

	}

}
