package dev.agentsessions.web.body;

import java.io.IOException;
import java.io.UncheckedIOException;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

import dev.agentsessions.session.heap.HeapBudget;
import dev.agentsessions.session.heap.HeapShare;
import dev.agentsessions.session.heap.ResponseHeap;
import dev.agentsessions.web.ApiDialects;
import dev.agentsessions.web.CountedResponse;
import dev.agentsessions.web.HttpProperties;

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
	 * Takes memory for the maximum number of tokens of a body, until they are counted.
	 * @param length the length of the body in characters
	 */
	HeapBudget.Share reserve(int length) {
		HeapBudget.Share share = this.unread.open();
		share.take((long) BYTES_PER_TOKEN * Math.min(this.maxTokens, length));
		return share;
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

}
