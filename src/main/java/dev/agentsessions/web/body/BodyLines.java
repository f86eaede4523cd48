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

/**
 * Reads a body line by line; there may be any number of them. Each line has to be short
 * and arrive soon enough, and the body as a whole has a least rate. Only the time counts
 * in which the service waits for the client. What a line takes of the memory is given
 * back when the next one is read.
 */
final class BodyLines {

	private static final int CHUNK = 64 * 1024;

	/** A line is held as bytes, as text and in what is made of it. */
	static final int COPIES = 3;

	/**
	 * The least rate of a body. A client that sends less is away, or keeps others out.
	 */
	private static final int BYTES_PER_SECOND = 500;

	private final InputStream body;

	private final BodyLimit limit;

	private final Duration timeout;

	private final LineMemory memory;

	private final byte[] chunk = new byte[CHUNK];

	private int position;

	private int end;

	private boolean inLongLine;

	private long number;

	/** How many bytes have arrived. */
	private long arrived;

	/** How many nanoseconds were waited for them. */
	private long waited;

	/** The same when the line began. */
	private long waitedBefore;

	BodyLines(InputStream body, BodyLimit limit, Duration timeout, LineMemory memory) {
		this.body = body;
		this.limit = limit;
		this.timeout = timeout;
		this.memory = memory;
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
		this.memory.close();
		this.waitedBefore = this.waited;
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
			this.memory.take((long) COPIES * (line.size() - counted));
			counted = line.size();
		}
		return BodyReader.checkDecoded(line.toString(StandardCharsets.UTF_8), line);
	}

	/** What a refused line still has is passed over. */
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

	/**
	 * Whether there is more of the body. Tomcat waits for the next bytes no longer than
	 * for a request.
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
			// The client is gone and reads no answer; it is no fault of the service
			throw BodyReader.problem(HttpStatus.BAD_REQUEST, "The body was broken off", ex);
		}
		this.waited += System.nanoTime() - start;
		this.position = 0;
		this.arrived += Math.max(0, this.end);
		checkTime();
		return this.end >= 0;
	}

	private void checkTime() {
		if (this.waited - this.waitedBefore > this.timeout.toNanos()) {
			throw BodyReader.tooSlow(this.timeout);
		}
		long inTime = this.arrived * (TimeUnit.SECONDS.toNanos(1) / BYTES_PER_SECOND);
		if (this.waited - inTime > this.timeout.toNanos()) {
			throw BodyReader.problem(HttpStatus.REQUEST_TIMEOUT,
					"The body arrives with less than %d bytes per second".formatted(BYTES_PER_SECOND), null);
		}
	}

}
