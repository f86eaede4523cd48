package dev.agentsessions.console;

import org.jspecify.annotations.Nullable;

/**
 * A part of the content of an event.
 *
 * @param kind what it is: {@code text}, {@code thought}, {@code call}, {@code answer},
 * {@code data}, {@code other}
 * @param title what it is, for people; blank for a text
 * @param body what it says
 * @param image where its picture is; {@code null} if it is none
 * @param file where its data is; {@code null} if there is none, or it is a picture
 */
record PartView(String kind, TruncatedText title, TruncatedText body, @Nullable String image, @Nullable String file) {

	/** A part without data. */
	PartView(String kind, String title, TruncatedText body) {
		this(kind, TruncatedText.of(title, TruncatedText.SHORT), body, null, null);
	}

	/** A part with data. */
	static PartView ofData(String title, String address, boolean image) {
		return new PartView("data", TruncatedText.of(title, TruncatedText.SHORT), TruncatedText.NOTHING,
				image ? address : null, image ? null : address);
	}

	/** Whether it is shown at once, and not on demand. */
	public boolean isOpen() {
		return this.kind.equals("text");
	}

	/** Whether it says anything. */
	public boolean hasBody() {
		return !this.body.text().isEmpty();
	}

}
