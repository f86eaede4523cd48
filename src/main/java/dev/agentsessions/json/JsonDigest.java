package dev.agentsessions.json;

import java.io.IOException;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.SortedMap;
import java.util.TreeMap;

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

	private static final int SHA_BYTES = 32;

	private final JsonParser parser;

	private final Text text = new Text();

	private JsonDigest(JsonParser parser) {
		this.parser = parser;
	}

	/** Returns the digest of an object, 33 bytes. */
	static byte[] of(JsonText object) {
		try (JsonParser parser = JsonReader.parser(object.text())) {
			parser.nextToken();
			return new JsonDigest(parser).object();
		}
	}

	/**
	 * Returns the digest of the current value. Its first byte is the kind of the value
	 * and decides the length.
	 */
	private byte[] value(JsonToken token) {
		return switch (token) {
			case START_OBJECT -> object();
			case START_ARRAY -> array();
			case VALUE_STRING -> string();
			case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT ->
				this.text.digest('0', JsonNumbers.canonical(this.parser.getString()));
			default -> new byte[] { (byte) token.asString().charAt(0) };
		};
	}

	private byte[] object() {
		SortedMap<String, byte[]> members = new TreeMap<>();
		while (this.parser.nextToken() == JsonToken.PROPERTY_NAME) {
			String name = this.parser.currentName();
			members.put(name, value(this.parser.nextToken()));
		}
		MessageDigest digest = sha256();
		members.forEach((name, value) -> {
			digest.update(this.text.digest('s', name));
			digest.update(value);
		});
		return withKind('{', digest);
	}

	private byte[] array() {
		MessageDigest digest = sha256();
		for (JsonToken token = this.parser.nextToken(); token != JsonToken.END_ARRAY; token = this.parser.nextToken()) {
			digest.update(value(token));
		}
		return withKind('[', digest);
	}

	/** The string is read in chunks, because it may be long. */
	private byte[] string() {
		this.parser.getString(this.text);
		return this.text.digest('s');
	}

	private static byte[] withKind(char kind, MessageDigest digest) {
		byte[] whole = new byte[1 + SHA_BYTES];
		whole[0] = (byte) kind;
		System.arraycopy(digest.digest(), 0, whole, 1, SHA_BYTES);
		return whole;
	}

	private static MessageDigest sha256() {
		try {
			return MessageDigest.getInstance("SHA-256");
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java has SHA-256", ex);
		}
	}

	/** Digests one text after the other, each in chunks. */
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

		/** Returns the digest of what was written, and begins the next text. */
		byte[] digest(char kind) {
			return withKind(kind, this.digest);
		}

		byte[] digest(char kind, String whole) {
			write(whole, 0, whole.length());
			return digest(kind);
		}

		@Override
		public void flush() {
		}

		@Override
		public void close() throws IOException {
		}

	}

}
