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
 * @param call the id of the function call; blank for none
 */
record PartView(String kind, TruncatedText title, TruncatedText body, @Nullable String html, @Nullable DataView data,
		String call) {

	/** A longer text is folded. */
	private static final int MAX_UNFOLDED_CHARS = 3000;

	private static final int MAX_BRIEF_CHARS = 60;

	/** Creates a part without data. */
	static PartView of(String kind, String title, TruncatedText body, @Nullable String html) {
		return new PartView(kind, TruncatedText.of(title, TruncatedText.MAX_LINE_CHARS), body, html, null, "");
	}

	/** Returns the part with the id of the function call that it is or answers. */
	PartView ofCall(String id) {
		return new PartView(this.kind, this.title, this.body, this.html, this.data, id);
	}

	/** Creates a part with data. */
	static PartView of(DataView data) {
		return new PartView("data", data.title(), TruncatedText.EMPTY, null, data, "");
	}

	/** Returns whether the part is shown expanded. */
	public boolean isOpen() {
		return this.kind.equals("text") && this.body.text().length() <= MAX_UNFOLDED_CHARS;
	}

	/** Returns whether the part is the answer of a function that failed. */
	public boolean isFailed() {
		return this.kind.equals("failed");
	}

	/** Returns whether the part is the answer of a function. */
	boolean isAnswer() {
		return this.kind.equals("answer") || isFailed();
	}

	/** Returns whether the part is more than a thought or a blank text. */
	boolean isTelling() {
		return !this.kind.equals("thought") && !(this.kind.equals("text") && this.body.text().isBlank());
	}

	/** Returns the arguments of a call or the result of an answer in one line. */
	public String brief() {
		if (!this.kind.equals("call") && !isAnswer()) {
			return "";
		}
		return TruncatedText.brief(this.body.text().replaceFirst("(?s)^\\{(.*)}$", "$1"), MAX_BRIEF_CHARS);
	}

	/** Returns the title of a folded part. */
	public String summary() {
		return this.title.text().isEmpty() ? this.body.beginning() : this.title.text();
	}

	public boolean hasBody() {
		return !this.body.text().isEmpty();
	}

}
