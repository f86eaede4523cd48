package dev.agentsessions.web.body;

import java.io.IOException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.session.LimitProperties;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.heap.HeapBudget;
import dev.agentsessions.session.heap.HeapShare;
import dev.agentsessions.web.BodyLimit;
import dev.agentsessions.web.HttpProperties;
import dev.agentsessions.web.body.BodyReader.BodyParser;
import dev.agentsessions.web.body.RequestHeapFilter.LineHeap;

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
		return new JsonLines(this.permits.take(request.getRemoteUser()), lines, memory, this.parser, this.memoryFilter);
	}

	/** The lines of a body, each a JSON object. */
	public static final class JsonLines implements AutoCloseable {

		private final ImportPermits.Permit permit;

		private final BodyLines lines;

		private final LineHeap memory;

		private final BodyParser parser;

		private final RequestHeapFilter memoryFilter;

		JsonLines(ImportPermits.Permit permit, BodyLines lines, LineHeap memory, BodyParser parser,
				RequestHeapFilter memoryFilter) {
			this.permit = permit;
			this.lines = lines;
			this.memory = memory;
			this.parser = parser;
			this.memoryFilter = memoryFilter;
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
			handler.accept(parse(line));
			return true;
		}

		/**
		 * Gives back memory that other requests wait for, before the line is processed.
		 */
		private JsonObject parse(String line) {
			HeapBudget.Share reserved = this.memoryFilter.reserve(line.length());
			try {
				return this.parser.parse(line,
						(tokens) -> this.memory.take(RequestHeapFilter.BYTES_PER_TOKEN * tokens));
			}
			finally {
				reserved.close();
			}
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

}
