package dev.agentsessions.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;

import dev.agentsessions.json.JsonException;
import dev.agentsessions.session.MemoryBudget;
import dev.agentsessions.session.SessionException;

/**
 * Reads a body line by line. Each line has to be short and arrive soon enough; there may
 * be any number of them. What a long line takes of the memory is given back when the next
 * one is read.
 */
final class BodyLines {

	private static final int CHUNK = 64 * 1024;

	/** A line is held as bytes, as text and in what is made of it. */
	private static final int COPIES = 3;

	private final InputStream body;

	private final BodyLimit limit;

	private final Duration timeout;

	private final MemoryBudget.Share memory;

	/** What was taken before the first line. */
	private final long base;

	private final byte[] chunk = new byte[CHUNK];

	private int position;

	private int end;

	private boolean inLongLine;

	private long number;

	private long room;

	BodyLines(InputStream body, BodyLimit limit, Duration timeout, MemoryBudget.Share memory) {
		this.body = body;
		this.limit = limit;
		this.timeout = timeout;
		this.memory = memory;
		this.base = memory.bytes();
	}

	/** The number of the line that was read last, from 1. */
	long number() {
		return this.number;
	}

	/**
	 * The next line without its end, {@code null} if there is none.
	 * @throws SessionException.TooLarge if it is too long; the next call gives the line
	 * behind it
	 * @throws JsonException.Malformed if it is not UTF-8
	 */
	@Nullable String next() {
		long start = System.nanoTime();
		this.memory.backTo(this.base);
		this.room = CHUNK;
		if (this.inLongLine) {
			skipLine(start);
		}
		if (!fill(start)) {
			return null;
		}
		this.number++;
		ByteArrayOutputStream line = new ByteArrayOutputStream(256);
		while (!addUpToLineEnd(line) && fill(start)) {
			checkSize(line.size());
		}
		return BodyReader.checkDecoded(line.toString(StandardCharsets.UTF_8), line);
	}

	private void checkSize(int size) {
		this.inLongLine = true;
		this.limit.check(size);
		takeRoom((long) size * COPIES - this.room);
		this.inLongLine = false;
	}

	/** Takes room for what is made of the line; less than a chunk does not count. */
	void takeRoom(long more) {
		if (more > CHUNK) {
			this.memory.take(more);
			this.room += more;
		}
	}

	private void skipLine(long start) {
		ByteArrayOutputStream skipped = new ByteArrayOutputStream();
		while (fill(start) && !addUpToLineEnd(skipped)) {
			skipped.reset();
		}
		this.inLongLine = false;
	}

	/** Takes what is left in the chunk of a line, and says whether that is its end. */
	private boolean addUpToLineEnd(ByteArrayOutputStream line) {
		int from = this.position;
		while (this.position < this.end) {
			if (this.chunk[this.position++] == '\n') {
				line.write(this.chunk, from, this.position - 1 - from);
				return true;
			}
		}
		line.write(this.chunk, from, this.end - from);
		return false;
	}

	/** Nobody is there any more to read it, and it is no fault of the service. */
	private static ErrorResponseException brokenOff(IOException cause) {
		ProblemDetail problem = ProblemDetail.forStatusAndDetail(HttpStatus.BAD_REQUEST, "The body was broken off");
		return new ErrorResponseException(HttpStatus.BAD_REQUEST, problem, cause);
	}

	/**
	 * Whether there is more of the body. Tomcat waits for the next bytes no longer than
	 * for a request.
	 */
	private boolean fill(long start) {
		if (this.position < this.end) {
			return true;
		}
		try {
			this.end = this.body.read(this.chunk);
		}
		catch (SocketTimeoutException ex) {
			throw BodyReader.tooSlow(this.timeout);
		}
		catch (IOException ex) {
			throw brokenOff(ex);
		}
		if (System.nanoTime() - start > this.timeout.toNanos()) {
			throw BodyReader.tooSlow(this.timeout);
		}
		this.position = 0;
		return this.end >= 0;
	}

}
