package dev.agentsessions.console.session;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.console.view.TruncatedText;

/**
 * A part of the content of an event.
 *
 * @param kind its kind: {@code text}, {@code thought}, {@code call}, {@code answer},
 * {@code data}, {@code other}
 * @param title its title; blank for a text
 * @param body its text or JSON
 * @param image the address of its image; {@code null} if it is none
 * @param file the address of its data; {@code null} if it has none or is an image
 */
record PartView(String kind, TruncatedText title, TruncatedText body, @Nullable String image, @Nullable String file) {

	PartView(String kind, String title, TruncatedText body) {
		this(kind, TruncatedText.of(title, TruncatedText.MAX_LINE_CHARS), body, null, null);
	}

	/** Returns a part with data. */
	static PartView ofData(String title, String address, boolean image) {
		return new PartView("data", TruncatedText.of(title, TruncatedText.MAX_LINE_CHARS), TruncatedText.EMPTY,
				image ? address : null, image ? null : address);
	}

	/** Returns whether the part is shown expanded. */
	public boolean isOpen() {
		return this.kind.equals("text");
	}

	public boolean hasBody() {
		return !this.body.text().isEmpty();
	}

}
