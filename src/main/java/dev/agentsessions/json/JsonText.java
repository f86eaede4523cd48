package dev.agentsessions.json;

/**
 * A JSON value as the text in which it was sent. Nothing is parsed and written again, so
 * long numbers, escapes and the order of keys stay what they were.
 *
 * @param text one well-formed JSON value
 */
public record JsonText(String text) {

	/** The JSON {@code null}. */
	public static final JsonText NULL = new JsonText("null");

	public boolean isNull() {
		return NULL.equals(this);
	}

	public boolean isObject() {
		return this.text.startsWith("{");
	}

	public boolean isArray() {
		return this.text.startsWith("[");
	}

	public boolean isString() {
		return this.text.startsWith("\"");
	}

	@Override
	public String toString() {
		return this.text;
	}

}
