package dev.agentsessions.json;

import java.util.Map;
import java.util.TreeMap;

/** Replaces values and members of a JSON text and leaves the rest as it was sent. */
public final class JsonEdits {

	private final JsonSpan all;

	private final Map<Integer, Edit> edits = new TreeMap<>();

	public JsonEdits(JsonText json) {
		this.all = json.span();
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
		StringBuilder changed = new StringBuilder(length());
		int next = this.all.start();
		for (Map.Entry<Integer, Edit> edit : this.edits.entrySet()) {
			changed.append(this.all.whole(), next, edit.getKey()).append(edit.getValue().replacement);
			next = edit.getValue().end;
		}
		return new JsonText(changed.append(this.all.whole(), next, this.all.end()).toString());
	}

	private int length() {
		return this.all.length() + this.edits.entrySet()
			.stream()
			.mapToInt((edit) -> edit.getValue().replacement.length() - (edit.getValue().end - edit.getKey()))
			.sum();
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
