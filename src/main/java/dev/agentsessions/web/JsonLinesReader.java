package dev.agentsessions.web;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;

import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionProperties.LimitProperties;
import dev.agentsessions.session.heap.HeapBudget.HeapShare;
import dev.agentsessions.web.ApiDialect.BodyLimit;
import dev.agentsessions.web.BodyReader.BodyParser;
import dev.agentsessions.web.RequestHeapFilter.BodyLimits;
import dev.agentsessions.web.RequestHeapFilter.LineHeap;

/** Opens bodies of any length that have one JSON object in each line. */
@Component
public class JsonLinesReader {

	/** The bytes of a line around the largest event. */
	private static final int EXTRA_LINE_BYTES = 64 * 1024;

	private final HttpProperties properties;

	private final BodyLimit limit;

	private final BodyParser parser;

	private final RequestHeapFilter memoryFilter;

	private final ImportPermits permits;

	JsonLinesReader(HttpProperties properties, LimitProperties limits, BodyLimits bodies,
			RequestHeapFilter memoryFilter, ImportPermits permits) {
		this.properties = properties;
		this.permits = permits;
		this.parser = BodyParser.ofLines(properties);
		this.memoryFilter = memoryFilter;
		long event = limits.eventSize().toBytes();
		this.limit = new BodyLimit(Math.min(event, bodies.totalBytes()) + EXTRA_LINE_BYTES,
				(event <= bodies.totalBytes()) ? "agent-sessions.limits.event-size"
						: "agent-sessions.limits.event-size, a tenth of the heap at most");
	}

	/**
	 * Waits for the permit of an import, and opens the body of a request.
	 * @throws SessionException.Unavailable if too many such bodies are read at once
	 */
	public JsonLines open(HttpServletRequest request) throws IOException {
		LineHeap memory = this.memoryFilter.ofLines(BodyLines.COPIES_PER_LINE * this.limit.bytes());
		BodyLines lines = new BodyLines(request.getInputStream(), this.limit, this.properties.bodyTimeout(), memory);
		return new JsonLines(this.permits.take(request.getRemoteUser()), lines, memory);
	}

	/** The lines of a body, each a JSON object. */
	public final class JsonLines implements AutoCloseable {

		private final ImportPermits.Permit permit;

		private final BodyLines lines;

		private final LineHeap memory;

		JsonLines(ImportPermits.Permit permit, BodyLines lines, LineHeap memory) {
			this.permit = permit;
			this.lines = lines;
			this.memory = memory;
		}

		/** Returns the number of the line that was read last, from 1. */
		public long number() {
			return this.lines.number();
		}

		/**
		 * Reads the next line that is not blank. After an exception about one line, the
		 * lines after it can be read.
		 * @param handler processes the line
		 * @return whether there was a line
		 * @throws JsonException if the line is not a JSON object
		 * @throws SessionException if the line is too large
		 */
		public boolean next(Consumer<JsonObject> handler) {
			String line = this.lines.next();
			while (line != null && line.isBlank()) {
				line = this.lines.next();
			}
			if (line == null) {
				return false;
			}
			handler.accept(JsonLinesReader.this.memoryFilter.parse(JsonLinesReader.this.parser, line,
					(tokens) -> this.memory.take(RequestHeapFilter.BYTES_PER_TOKEN * tokens)));
			return true;
		}

		/** Gives back the memory of the lines, and the permit. */
		@Override
		public void close() {
			this.memory.close();
			this.permit.close();
		}

	}

	/**
	 * Limits how many imports a replica reads at once; further imports wait for a permit.
	 * An import may last for hours, so one caller gets only a share of the permits.
	 */
	@Component
	static class ImportPermits {

		/** The memory of one import in bytes, without a large line. */
		static final int BYTES_PER_IMPORT = 1 << 20;

		/** One caller may have 1/4 of the permits. */
		private static final int SHARE_OF_CALLER = 4;

		/** Maximum number of waiting imports, so that they do not use all threads. */
		private static final int MAX_WAITING = 32;

		/** How long an import waits for a permit, and for the memory of a large line. */
		static final int SECONDS_TO_WAIT = 60;

		private final Semaphore all;

		/**
		 * The permits by caller. An entry exists while an import of the caller waits or
		 * is read.
		 */
		private final LoadingCache<String, Semaphore> byCaller;

		@Autowired
		ImportPermits() {
			this((int) Math.max(1, HeapShare.IMPORTS.bytes() / BYTES_PER_IMPORT));
		}

		/**
		 * Creates permits.
		 * @param permits how many imports are read at once
		 */
		ImportPermits(int permits) {
			this.all = new Semaphore(permits, true);
			this.byCaller = Caffeine.newBuilder()
				.weakValues()
				.build((caller) -> new Semaphore(Math.max(1, permits / SHARE_OF_CALLER), true));
		}

		/**
		 * Waits for a permit.
		 * @param caller the name of the caller, {@code null} in open access, which has no
		 * limit for each caller
		 * @return the permit, which the caller of this method has to close
		 * @throws SessionException.Unavailable if no permit is free within a minute, or
		 * if too many imports already wait
		 */
		Permit take(@Nullable String caller) {
			Semaphore own = (caller != null) ? this.byCaller.get(caller) : new Semaphore(1);
			acquire(own);
			try {
				acquire(this.all);
			}
			catch (SessionException.Unavailable ex) {
				own.release();
				throw ex;
			}
			return () -> {
				this.all.release();
				own.release();
			};
		}

		private static void acquire(Semaphore permits) {
			if (permits.getQueueLength() >= MAX_WAITING || !acquireInTime(permits)) {
				throw new SessionException.Unavailable("Too many imports at once. Please retry.");
			}
		}

		private static boolean acquireInTime(Semaphore permits) {
			try {
				return permits.tryAcquire(SECONDS_TO_WAIT, TimeUnit.SECONDS);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				return false;
			}
		}

		/** The permit of one import, from its first line to its last. */
		interface Permit extends AutoCloseable {

			@Override
			void close();

		}

	}

	/**
	 * Reads a body line by line, with any number of lines. Each line has a maximum size
	 * and a time-out, and the whole body has a minimum rate. Only the time in which the
	 * service waits for the client counts. The memory of a line is given back when the
	 * next line is read.
	 */
	static final class BodyLines {

		private static final int CHUNK_BYTES = 64 * 1024;

		/** A line is in memory as bytes, as text and as parsed JSON. */
		static final int COPIES_PER_LINE = 3;

		/**
		 * The minimum rate of a body. A client that sends less has disconnected, or
		 * blocks others.
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
		 * @throws SessionException.TooLarge if the line is too long; the next call
		 * returns the line after it
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
		 * Adds the rest of a line from the chunk, and returns whether the line is
		 * complete.
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

		/** Returns whether the body has more bytes. */
		private boolean fill() {
			if (this.position < this.end) {
				return true;
			}
			long start = System.nanoTime();
			this.end = BodyReader.next(this.body, this.chunk, 0, CHUNK_BYTES, this.timeout);
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

}
