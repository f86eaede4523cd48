package dev.agentsessions.json;

import java.io.IOException;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.SortedMap;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * SHA-256 digest of the meaning of a JSON value: the same for texts that differ in
 * spaces, in the order of names or in the spelling of numbers. It is computed while the
 * text is read once, so a large value needs no tree in memory; only the names of the open
 * objects are stored.
 */
final class JsonDigest {

	private static final int BUFFER_CHARS = 1024;

	private final MessageDigest digest = sha256();

	private JsonDigest() {
	}

	/**
	 * Returns the digest of an object, 32 bytes.
	 * @param without a member of the first level to ignore, {@code null} for none
	 */
	static byte[] of(JsonText object, @Nullable String without) {
		try (JsonParser parser = JsonReader.parser(object.text())) {
			parser.nextToken();
			JsonDigest whole = new JsonDigest();
			whole.addObject(parser, without);
			return whole.digest.digest();
		}
	}

	private void add(JsonParser parser, JsonToken token) {
		switch (token) {
			case START_OBJECT -> addObject(parser, null);
			case START_ARRAY -> addArray(parser);
			case VALUE_STRING -> addString(parser);
			case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> addText('n', JsonNumbers.canonical(parser.getString()));
			default -> this.digest.update((byte) token.asString().charAt(0));
		}
	}

	private void addObject(JsonParser parser, @Nullable String without) {
		SortedMap<String, byte[]> members = new TreeMap<>();
		while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
			String name = parser.currentName();
			JsonDigest value = new JsonDigest();
			value.add(parser, parser.nextToken());
			members.put(name, value.digest.digest());
		}
		if (without != null) {
			members.remove(without);
		}
		this.digest.update((byte) '{');
		members.forEach((name, value) -> {
			addText('s', name);
			this.digest.update(value);
		});
		this.digest.update((byte) '}');
	}

	private void addArray(JsonParser parser) {
		this.digest.update((byte) '[');
		for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
			add(parser, token);
		}
		this.digest.update((byte) ']');
	}

	/** Adds the digest of the string, because its length is not known in advance. */
	private void addString(JsonParser parser) {
		Text text = new Text();
		parser.getString(text);
		this.digest.update((byte) 's');
		this.digest.update(text.digest());
	}

	private void addText(char kind, String text) {
		Text whole = new Text();
		whole.write(text, 0, text.length());
		this.digest.update((byte) kind);
		this.digest.update(whole.digest());
	}

	private static MessageDigest sha256() {
		try {
			return MessageDigest.getInstance("SHA-256");
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java has SHA-256", ex);
		}
	}

	/** Digests a text that arrives in chunks. */
	private static final class Text extends Writer {

		private final MessageDigest digest = sha256();

		private final ByteBuffer bytes = ByteBuffer.allocate(BUFFER_CHARS * Character.BYTES);

		@Override
		public void write(char[] characters, int offset, int length) {
			write(CharBuffer.wrap(characters, offset, length));
		}

		@Override
		public void write(String text, int offset, int length) {
			write(CharBuffer.wrap(text, offset, offset + length));
		}

		private void write(CharBuffer text) {
			while (text.hasRemaining()) {
				this.bytes.clear();
				int count = Math.min(BUFFER_CHARS, text.remaining());
				this.bytes.asCharBuffer().put(text.slice().limit(count));
				text.position(text.position() + count);
				this.digest.update(this.bytes.array(), 0, count * Character.BYTES);
			}
		}

		byte[] digest() {
			return this.digest.digest();
		}

		@Override
		public void flush() {
		}

		@Override
		public void close() throws IOException {
		}

	}

}
