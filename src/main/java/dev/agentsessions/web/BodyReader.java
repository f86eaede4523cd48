package dev.agentsessions.web;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.LongConsumer;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;

import dev.agentsessions.json.BoundedJsonReader;
import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.web.ApiDialect.BodyLimit;
import dev.agentsessions.web.RequestHeapFilter.BodyHeap;

/**
 * Reads whole bodies, with a limit of their size and of their time.
 *
 * @param limit the maximum size
 * @param timeout the maximum time
 * @param memory the source of memory for the body
 */
record BodyReader(BodyLimit limit, Duration timeout, BodyHeap memory) {

	/**
	 * Up to this size, a body takes memory for the bytes that arrive. After that, it
	 * takes memory for its declared size at once, or for the limit if it declares none. A
	 * client that announces a large body and does not send it therefore blocks no other
	 * request.
	 */
	static final int MAX_SMALL_BYTES = 64 * 1024;

	/**
	 * The bytes that are read at once, and the first buffer of a body of unknown size.
	 */
	private static final int CHUNK_BYTES = 8 * 1024;

	private static final String BYTE_ORDER_MARK = "\uFEFF";

	private static final char REPLACEMENT = '\uFFFD';

	/**
	 * Reads a body as text.
	 * @param announced the size in bytes that the request declares, negative if it
	 * declares none
	 * @throws JsonException.Malformed if the body is not UTF-8
	 */
	String readText(InputStream body, long announced) throws IOException {
		return decode(read(body, announced));
	}

	/**
	 * Reads a body that is compressed with gzip as text. The limits hold for the body as
	 * it is sent, because any number of its bytes may expand to nothing, and for the
	 * expanded body.
	 * @throws JsonException.Malformed if the body is not gzip or not UTF-8
	 */
	String readCompressedText(InputStream body, long announced) throws IOException {
		byte[] compressed = read(body, announced).toByteArray();
		try (InputStream expanded = new GZIPInputStream(new ByteArrayInputStream(compressed), CHUNK_BYTES)) {
			return decode(read(expanded, -1));
		}
		catch (ZipException | EOFException | StackOverflowError ex) {
			// The stream calls itself for each part that expands to nothing
			throw new JsonException.Malformed("it is not gzip");
		}
	}

	private String decode(ByteArrayOutputStream bytes) {
		String text = bytes.toString(StandardCharsets.UTF_8);
		if (text.length() < bytes.size()) {
			// A text that is not ASCII may use two bytes for each character
			this.memory.take(text.length());
		}
		return checkDecoded(text, bytes);
	}

	/**
	 * Checks a decoded text, which may contain the replacement character for bytes that
	 * are not UTF-8.
	 * @return the text without a byte order mark, which some editors and programs write
	 * @throws JsonException.Malformed if the bytes are not UTF-8
	 */
	static String checkDecoded(String text, ByteArrayOutputStream bytes) {
		String checked = (text.indexOf(REPLACEMENT) < 0) ? text : decode(bytes.toByteArray());
		return checked.startsWith(BYTE_ORDER_MARK) ? checked.substring(1) : checked;
	}

	private static String decode(byte[] bytes) {
		try {
			return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
		}
		catch (CharacterCodingException ex) {
			throw new JsonException.Malformed("it is not UTF-8");
		}
	}

	private ByteArrayOutputStream read(InputStream body, long announced) throws IOException {
		long start = System.nanoTime();
		int chunkSize = (int) ((announced < 0) ? CHUNK_BYTES : Math.min(announced + 1, CHUNK_BYTES));
		ByteArrayOutputStream bytes = new ByteArrayOutputStream(chunkSize);
		byte[] chunk = new byte[chunkSize];
		for (int count = next(body, chunk); count >= 0; count = next(body, chunk)) {
			this.limit.check(bytes.size() + count);
			takeMemory(bytes.size(), count, announced);
			bytes.write(chunk, 0, count);
			if (System.nanoTime() - start > this.timeout.toNanos()) {
				throw tooSlow();
			}
		}
		return bytes;
	}

	private void takeMemory(int size, int more, long announced) {
		if (size + more <= MAX_SMALL_BYTES) {
			this.memory.take(more);
		}
		else if (size <= MAX_SMALL_BYTES) {
			this.memory.becomeLarge((announced >= 0) ? announced : this.limit.bytes());
		}
	}

	/** Tomcat waits for the next bytes no longer than for a request. */
	private int next(InputStream body, byte[] chunk) throws IOException {
		try {
			return body.read(chunk);
		}
		catch (SocketTimeoutException ex) {
			throw tooSlow();
		}
	}

	private ErrorResponseException tooSlow() {
		return tooSlow(this.timeout);
	}

	/**
	 * Reads the next bytes of a body. Tomcat waits for them no longer than for a request.
	 * @throws ErrorResponseException if they do not arrive
	 */
	static int next(InputStream body, byte[] bytes, int offset, int length, Duration timeout) {
		try {
			return body.read(bytes, offset, length);
		}
		catch (SocketTimeoutException ex) {
			throw tooSlow(timeout);
		}
		catch (IOException ex) {
			// The client disconnected; not an error of the service
			throw problem(HttpStatus.BAD_REQUEST, "The body ended before its last byte", ex);
		}
	}

	/** Returns the error for a body, or a line of one, that has not arrived in time. */
	static ErrorResponseException tooSlow(Duration timeout) {
		return problem(HttpStatus.REQUEST_TIMEOUT,
				"The body did not arrive within %d seconds (agent-sessions.body-timeout)"
					.formatted(timeout.toSeconds()),
				null);
	}

	static ErrorResponseException problem(HttpStatus status, String detail, @Nullable IOException cause) {
		return new ErrorResponseException(status, ProblemDetail.forStatusAndDetail(status, detail), cause);
	}

	/** Parses the JSON of bodies. Errors name the limit that was exceeded. */
	static final class BodyParser {

		/** The tokens around an event in a line of an import. */
		private static final int EXTRA_LINE_TOKENS = 100;

		private final BoundedJsonReader json;

		private final HttpProperties properties;

		private BodyParser(HttpProperties properties, int extraLevels, int extraTokens) {
			this.json = new BoundedJsonReader(properties.maxJsonDepth() + extraLevels,
					properties.maxJsonTokens() + extraTokens);
			this.properties = properties;
		}

		/** Creates a parser for whole bodies. */
		static BodyParser ofBodies(HttpProperties properties) {
			return new BodyParser(properties, 0, 0);
		}

		/**
		 * Creates a parser for lines, each of which wraps an event that once was a body.
		 */
		static BodyParser ofLines(HttpProperties properties) {
			return new BodyParser(properties, 1, EXTRA_LINE_TOKENS);
		}

		/**
		 * Parses an object.
		 * @param counted receives the number of its tokens
		 * @throws JsonException if the text is not an object
		 * @throws SessionException if the text is too deep or has too many tokens
		 */
		JsonObject parse(String text, LongConsumer counted) {
			try {
				return this.json.read(text, counted);
			}
			catch (JsonException.TooManyTokens ex) {
				throw new SessionException.TooLarge("The body", this.properties.maxJsonTokens(),
						"names, values, objects and arrays", "agent-sessions.max-json-tokens");
			}
			catch (JsonException.TooDeep ex) {
				int max = this.properties.maxJsonDepth();
				throw new SessionException.InvalidArgument("The body",
						"is too deep: its nesting depth (%d) exceeds the maximum allowed (%d), agent-sessions.max-json-depth"
							.formatted(max + 1, max));
			}
		}

	}

}
