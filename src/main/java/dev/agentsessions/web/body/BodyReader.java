package dev.agentsessions.web.body;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;

import dev.agentsessions.json.JsonException;
import dev.agentsessions.web.BodyLimit;

/**
 * Reads bodies whole, which have to be short and arrive soon enough.
 *
 * @param limit how large they may be
 * @param timeout how long they may take
 * @param memory from where the room for it is taken
 */
record BodyReader(BodyLimit limit, Duration timeout, BodyMemory memory) {

	/**
	 * So many bytes are counted as they arrive. When more have arrived, room is taken for
	 * all that the body may have, and so who announces a large body and does not send it
	 * keeps nobody away.
	 */
	static final int SMALL = 64 * 1024;

	/** So much is read at once, and kept ready for a body that does not tell its size. */
	private static final int CHUNK = 8 * 1024;

	private static final char REPLACEMENT = '\uFFFD';

	/**
	 * Reads a body as text.
	 * @param announced its size in bytes as far as the request tells it, else negative
	 * @throws JsonException.Malformed if it is not UTF-8
	 */
	String readText(InputStream body, long announced) throws IOException {
		ByteArrayOutputStream bytes = read(body, announced);
		String text = bytes.toString(StandardCharsets.UTF_8);
		if (text.length() < bytes.size()) {
			// Beyond ASCII, a character may take two bytes
			this.memory.take(text.length());
		}
		return checkDecoded(text, bytes);
	}

	/**
	 * Checks a text that may have the character in it that stands for what is not UTF-8.
	 * @return the text
	 * @throws JsonException.Malformed if its bytes are not UTF-8
	 */
	static String checkDecoded(String text, ByteArrayOutputStream bytes) {
		return (text.indexOf(REPLACEMENT) < 0) ? text : decode(bytes.toByteArray());
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
		int chunkSize = (int) ((announced < 0) ? CHUNK : Math.min(announced + 1, CHUNK));
		ByteArrayOutputStream bytes = new ByteArrayOutputStream(chunkSize);
		byte[] chunk = new byte[chunkSize];
		for (int count = next(body, chunk); count >= 0; count = next(body, chunk)) {
			this.limit.check(bytes.size() + count);
			takeRoom(bytes.size(), count, announced);
			bytes.write(chunk, 0, count);
			if (System.nanoTime() - start > this.timeout.toNanos()) {
				throw tooSlow();
			}
		}
		return bytes;
	}

	private void takeRoom(int size, int more, long announced) {
		if (size + more <= SMALL) {
			this.memory.take(more);
		}
		else if (size <= SMALL) {
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

	/** A body, or the next line of one, has not arrived in time. */
	static ErrorResponseException tooSlow(Duration timeout) {
		return problem(HttpStatus.REQUEST_TIMEOUT,
				"The body did not arrive within %d seconds (agent-sessions.body-timeout)"
					.formatted(timeout.toSeconds()),
				null);
	}

	static ErrorResponseException problem(HttpStatus status, String detail, @Nullable IOException cause) {
		return new ErrorResponseException(status, ProblemDetail.forStatusAndDetail(status, detail), cause);
	}

}
