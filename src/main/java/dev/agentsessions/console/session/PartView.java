package dev.agentsessions.console.session;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.console.view.TruncatedText;

/**
 * A part of the content of an event.
 *
 * @param kind its kind: {@code text}, {@code thought}, {@code call}, {@code answer},
 * {@code failed} for the answer of a function that failed, {@code data}, {@code other}
 * @param title its title; blank for a text
 * @param body its text or JSON
 * @param html the text as safe HTML; {@code null} to show the body
 * @param data its data; {@code null} if it has none
 */
record PartView(String kind, TruncatedText title, TruncatedText body, @Nullable String html, @Nullable DataView data) {

	/** A longer text is folded. */
	private static final int MAX_UNFOLDED_CHARS = 3000;

	/** Creates a part without data. */
	static PartView of(String kind, String title, TruncatedText body, @Nullable String html) {
		return new PartView(kind, TruncatedText.of(title, TruncatedText.MAX_LINE_CHARS), body, html, null);
	}

	/** Creates a part with data. */
	static PartView of(DataView data) {
		return new PartView("data", data.title(), TruncatedText.EMPTY, null, data);
	}

	/** Returns whether the part is shown expanded. */
	public boolean isOpen() {
		return this.kind.equals("text") && this.body.text().length() <= MAX_UNFOLDED_CHARS;
	}

	/** Returns whether the part is the answer of a function that failed. */
	public boolean isFailed() {
		return this.kind.equals("failed");
	}

	/** Returns the title of a folded part. */
	public String summary() {
		return this.title.text().isEmpty() ? this.body.beginning() : this.title.text();
	}

	public boolean hasBody() {
		return !this.body.text().isEmpty();
	}

}
