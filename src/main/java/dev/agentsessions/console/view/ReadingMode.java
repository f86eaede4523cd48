package dev.agentsessions.console.view;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonText;

/**
 * How a page shows texts and times, from the query parameters of its address. Pages pass
 * it on in their links.
 *
 * @param as {@code stored} for texts and JSON as they are stored, else readable: Markdown
 * is rendered, and escaped characters are shown
 * @param view {@code context} for the events that a model sees, else all events
 */
public record ReadingMode(@Nullable String as, @Nullable String view) {

	private static final String STORED = "stored";

	private static final String CONTEXT = "context";

	/** Returns whether texts are shown as they are stored. */
	public boolean isStored() {
		return STORED.equals(this.as);
	}

	/** Returns whether only the events that a model sees are shown. */
	public boolean isContext() {
		return CONTEXT.equals(this.view);
	}

	/** Returns the beginning of a JSON value, indented. */
	public TruncatedText json(JsonText json, int maxChars) {
		return isStored() ? IndentedJson.asStored(json, maxChars) : IndentedJson.of(json, maxChars);
	}

	/**
	 * Returns the HTML of a text in Markdown; {@code null} if it is shown as stored, or
	 * if one of its tables is too large.
	 */
	public @Nullable String html(TruncatedText text) {
		try {
			return isStored() ? null : Markdown.toHtml(text.text());
		}
		catch (IllegalArgumentException ex) {
			return null;
		}
	}

	/** Returns an address in this mode. */
	public String on(String address) {
		String stored = isStored() ? with(address, "as=" + STORED) : address;
		return isContext() ? with(stored, "view=" + CONTEXT) : stored;
	}

	/** Returns an address in this mode with the other way to show texts. */
	public String switchText(String address) {
		return new ReadingMode(isStored() ? null : STORED, this.view).on(address);
	}

	/** Returns an address in this mode with the other selection of events. */
	public String switchView(String address) {
		return new ReadingMode(this.as, isContext() ? null : CONTEXT).on(address);
	}

	private static String with(String address, String parameter) {
		int end = (address.indexOf('#') >= 0) ? address.indexOf('#') : address.length();
		char separator = (address.indexOf('?') >= 0) ? '&' : '?';
		return address.substring(0, end) + separator + parameter + address.substring(end);
	}

}
