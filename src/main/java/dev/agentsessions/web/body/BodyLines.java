package dev.agentsessions.web.body;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;

import dev.agentsessions.json.JsonException;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.web.BodyLimit;
import dev.agentsessions.web.body.RequestHeapFilter.LineHeap;

/**
 * Reads a body line by line, with any number of lines. Each line has a maximum size and a
 * time-out, and the whole body has a minimum rate. Only the time in which the service
 * waits for the client counts. The memory of a line is given back when the next line is
 * read.
 */
final class BodyLines {

	private static final int CHUNK_BYTES = 64 * 1024;

	/** A line is in memory as bytes, as text and as parsed JSON. */
	static final int COPIES_PER_LINE = 3;

	/**
	 * The minimum rate of a body. A client that sends less has disconnected, or blocks
	 * others.
	 */
	private static final int MIN_BYTES_PER_SECOND = 500;

	private final InputStream body;

	private final BodyLimit limit;

	private final Duration timeout;

	private final LineHeap memory;

	private final byte[] chunk = new byte[CHUNK_BYTES];

	private int position;

	private int end;

	private boolean inLongLine;

	private long number;

	/** The number of bytes that have arrived. */
	private long arrived;

	/** The time in nanoseconds that the service has waited for them. */
	private long waitedNanos;

	/** The value of {@code waitedNanos} at the beginning of the line. */
	private long waitedNanosBefore;

	BodyLines(InputStream body, BodyLimit limit, Duration timeout, LineHeap memory) {
		this.body = body;
		this.limit = limit;
		this.timeout = timeout;
		this.memory = memory;
	}

	/** Returns the number of the line that was read last, from 1. */
	long number() {
		return this.number;
	}

	/**
	 * Returns the next line without its end, {@code null} if there is none.
	 * @throws SessionException.TooLarge if the line is too long; the next call returns
	 * the line after it
	 * @throws JsonException.Malformed if the line is not UTF-8
	 */
	@Nullable String next() {
		this.memory.close();
		this.waitedNanosBefore = this.waitedNanos;
		if (this.inLongLine) {
			skipLine();
		}
		if (!fill()) {
			return null;
		}
		this.number++;
		ByteArrayOutputStream line = new ByteArrayOutputStream(256);
		int counted = 0;
		while (!addUpToLineEnd(line) && fill()) {
			checkSize(line.size());
			this.memory.take((long) COPIES_PER_LINE * (line.size() - counted));
			counted = line.size();
		}
		return BodyReader.checkDecoded(line.toString(StandardCharsets.UTF_8), line);
	}

	/** If the size is refused, the next call skips the rest of the line. */
	private void checkSize(int size) {
		this.inLongLine = true;
		this.limit.check(size);
		this.inLongLine = false;
	}

	private void skipLine() {
		ByteArrayOutputStream skipped = new ByteArrayOutputStream();
		while (fill() && !addUpToLineEnd(skipped)) {
			skipped.reset();
		}
		this.inLongLine = false;
	}

	/**
	 * Adds the rest of a line from the chunk, and returns whether the line is complete.
	 */
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

	/**
	 * Returns whether the body has more bytes. Tomcat waits for the next bytes no longer
	 * than for a request.
	 */
	private boolean fill() {
		if (this.position < this.end) {
			return true;
		}
		long start = System.nanoTime();
		try {
			this.end = this.body.read(this.chunk);
		}
		catch (SocketTimeoutException ex) {
			throw BodyReader.tooSlow(this.timeout);
		}
		catch (IOException ex) {
			// The client disconnected; not an error of the service
			throw BodyReader.problem(HttpStatus.BAD_REQUEST, "The body ended before its last byte", ex);
		}
		this.waitedNanos += System.nanoTime() - start;
		this.position = 0;
		this.arrived += Math.max(0, this.end);
		checkTime();
		return this.end >= 0;
	}

	private void checkTime() {
		if (this.waitedNanos - this.waitedNanosBefore > this.timeout.toNanos()) {
			throw BodyReader.tooSlow(this.timeout);
		}
		long inTime = this.arrived * (TimeUnit.SECONDS.toNanos(1) / MIN_BYTES_PER_SECOND);
		if (this.waitedNanos - inTime > this.timeout.toNanos()) {
			throw BodyReader.problem(HttpStatus.REQUEST_TIMEOUT,
					"The body arrives with less than %d bytes per second".formatted(MIN_BYTES_PER_SECOND), null);
		}
	}

}
