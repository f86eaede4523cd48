package dev.agentsessions.web;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.LongConsumer;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.heap.HeapBudget;
import dev.agentsessions.session.heap.HeapBudget.HeapShare;
import dev.agentsessions.session.heap.ResponseHeap;
import dev.agentsessions.web.ApiDialect.ApiDialects;
import dev.agentsessions.web.ApiDialect.BodyLimit;
import dev.agentsessions.web.BodyReader.BodyParser;
import dev.agentsessions.web.JsonLinesReader.ImportPermits;

/**
 * Limits the memory of concurrent requests. Counts bodies of every size, the copies of
 * each body while it is processed, the tokens of the body, what is read for the response,
 * and the response. A request that does not get its memory soon is refused, and the
 * client may retry.
 */
@Component
public class RequestHeapFilter extends OncePerRequestFilter {

	private static final String MEMORY = RequestHeapFilter.class.getName() + ".memory";

	/** A parsed token counts as this number of bytes of a body. */
	static final int BYTES_PER_TOKEN = 64;

	/** For bodies of at most {@link BodyReader#MAX_SMALL_BYTES}. */
	private final HeapBudget small = new HeapBudget(HeapShare.SMALL_BODIES.bytes());

	private final HeapBudget large;

	/** For bodies whose tokens have not been counted yet. */
	private final HeapBudget unread = new HeapBudget(HeapShare.UNCOUNTED_TOKENS.bytes());

	/** Separate budget for large lines, so that other requests do not wait for them. */
	private final HeapBudget largeLines = new HeapBudget(HeapShare.LARGE_LINES.bytes());

	/** For the bytes of responses. */
	private final HeapBudget responses = new HeapBudget(HeapShare.RESPONSES.bytes());

	private final ResponseHeap responseHeap;

	private final ApiDialects dialects;

	private final int maxTokens;

	RequestHeapFilter(BodyLimits limits, HttpProperties properties, ResponseHeap responseHeap, ApiDialects dialects) {
		this.large = new HeapBudget(limits.totalBytes());
		this.responseHeap = responseHeap;
		this.dialects = dialects;
		this.maxTokens = properties.maxJsonTokens();
	}

	/** Opens the memory of a body, which the caller has to close. */
	BodyHeap open() {
		return new BodyHeap(this.small, this.large);
	}

	/** Returns the memory that a request has taken for its body. */
	static BodyHeap of(HttpServletRequest request) {
		return (BodyHeap) request.getAttribute(MEMORY);
	}

	/**
	 * Parses a body or a line of one. Until its tokens are counted, it has memory for the
	 * maximum number of them.
	 * @param counted receives the number of tokens
	 */
	JsonObject parse(BodyParser parser, String text, LongConsumer counted) {
		HeapBudget.Share share = this.unread.open();
		share.take((long) BYTES_PER_TOKEN * Math.min(this.maxTokens, text.length()));
		try {
			return parser.parse(text, counted);
		}
		finally {
			share.close();
		}
	}

	/**
	 * Returns the memory of the lines of one body, which the caller has to close.
	 * @param maxBytes the maximum number of bytes that a line may need, without its
	 * tokens
	 */
	LineHeap ofLines(long maxBytes) {
		return new LineHeap(this.largeLines, maxBytes + (long) BYTES_PER_TOKEN * this.maxTokens);
	}

	/** Takes memory for the tokens of a body, until the request ends. */
	static void takeTokens(HttpServletRequest request, long tokens) {
		of(request).take(BYTES_PER_TOKEN * tokens);
	}

	@Override
	protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		try (CountedResponse counted = new CountedResponse(response, this.responses.open(),
				this.responseHeap::hasWritten)) {
			process(request, counted, chain);
			sendRest(counted);
		}
	}

	private void sendRest(CountedResponse response) {
		try {
			response.send();
		}
		catch (IOException ex) {
			this.logger.debug("The client has disconnected, or does not read its response", ex);
		}
	}

	/** Gives back the memory of everything but the bytes that are to be sent. */
	private void process(HttpServletRequest request, CountedResponse response, FilterChain chain)
			throws ServletException, IOException {
		BodyHeap body = open();
		request.setAttribute(MEMORY, body);
		this.responseHeap.begin(() -> send(response), this.dialects.of(request).translationCost());
		try {
			chain.doFilter(request, response);
		}
		finally {
			this.responseHeap.end();
			body.close();
		}
	}

	private static void send(CountedResponse response) {
		try {
			response.send();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * The memory of one body. A body uses the budget of small bodies until it is large. A
	 * few large bodies that never arrive completely therefore do not block small bodies.
	 */
	static final class BodyHeap implements AutoCloseable {

		private final HeapBudget.Share small;

		private final HeapBudget.Share large;

		private boolean isLarge;

		BodyHeap(HeapBudget small, HeapBudget large) {
			this.small = small.open();
			this.large = large.open();
		}

		/** Takes memory for more bytes. */
		void take(long bytes) {
			(this.isLarge ? this.large : this.small).take(bytes);
		}

		/**
		 * Takes memory for the whole body, which is no longer small.
		 * @param bytes the size of the whole body
		 */
		void becomeLarge(long bytes) {
			this.large.take(bytes);
			this.isLarge = true;
			this.small.close();
		}

		@Override
		public void close() {
			this.small.close();
			this.large.close();
		}

	}

	/**
	 * The memory of the current line of an import. The {@linkplain ImportPermits permit}
	 * of the import covers most lines. A larger line takes the maximum memory of a line
	 * at once: if each import took a little more as the line arrives, several imports
	 * could wait for each other. Not thread-safe.
	 */
	static final class LineHeap implements AutoCloseable {

		/**
		 * A line that needs more bytes is large. The rest of a permit is for lines that
		 * are not stored yet.
		 */
		private static final long MAX_SMALL_LINE_BYTES = ImportPermits.BYTES_PER_IMPORT / 2;

		private final HeapBudget.Share largeLines;

		private final long maxBytes;

		private long bytes;

		/**
		 * Creates the memory before the first line.
		 * @param maxBytes the maximum number of bytes that a line may need
		 */
		LineHeap(HeapBudget largeLines, long maxBytes) {
			this.largeLines = largeLines.open();
			this.maxBytes = maxBytes;
		}

		/**
		 * Takes memory for more bytes of the line.
		 * @throws SessionException.Unavailable if other imports do not give back enough
		 * memory within a minute
		 */
		void take(long more) {
			this.bytes += more;
			if (this.bytes > MAX_SMALL_LINE_BYTES && this.largeLines.bytes() == 0) {
				this.largeLines.take(this.maxBytes, ImportPermits.SECONDS_TO_WAIT);
			}
		}

		/** Gives back the memory of the line. */
		@Override
		public void close() {
			this.bytes = 0;
			this.largeLines.close();
		}

	}

	/**
	 * Knows the size limit of the body of a request, and of all concurrent bodies
	 * together: the memory holds several copies of a body while it is processed.
	 */
	@Component
	public static class BodyLimits {

		private final BodyLimit defaultLimit;

		private final ApiDialects dialects;

		BodyLimits(HttpProperties properties, ApiDialects dialects) {
			this.defaultLimit = new BodyLimit(properties.maxBodySize().toBytes(), "agent-sessions.max-body-size");
			this.dialects = dialects;
		}

		/** Returns the maximum size in bytes of all concurrent bodies together. */
		long totalBytes() {
			return Math.max(this.defaultLimit.bytes(), HeapShare.LARGE_BODIES.bytes());
		}

		/** Returns the size limit of the body of a request. */
		BodyLimit of(HttpServletRequest request) {
			BodyLimit limit = this.dialects.of(request).bodyLimit(this.defaultLimit);
			return (limit.bytes() <= totalBytes()) ? limit
					: new BodyLimit(totalBytes(), limit.setting() + ", a tenth of the heap at most");
		}

	}

}
