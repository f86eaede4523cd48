package dev.agentsessions.web.body;

import java.io.IOException;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

import dev.agentsessions.session.memory.MemoryBudget;
import dev.agentsessions.session.memory.ResponseMemory;
import dev.agentsessions.web.HttpProperties;

/**
 * Lets only so much in at once that the memory is enough for it: bodies of every size are
 * counted, each is held several times over while it is worked on, and so is what is in
 * them. Who does not get a turn soon may try again.
 */
@Component
public class RequestMemoryFilter extends OncePerRequestFilter {

	private static final String MEMORY = RequestMemoryFilter.class.getName() + ".memory";

	/** A token, taken apart, costs as much as so many bytes of a body. */
	static final int BYTES_OF_TOKEN = 64;

	/** The share of the heap that large lines of imports may have. */
	private static final int SHARE_OF_LINES = 32;

	/** The share of the heap that bodies of at most {@link BodyReader#SMALL} may have. */
	private static final int SHARE_OF_SMALL = 12;

	private final MemoryBudget small;

	private final MemoryBudget large;

	/** For bodies of which nobody knows yet how many tokens they have. */
	private final MemoryBudget unread;

	/** For large lines, which other requests do not wait for. */
	private final MemoryBudget largeLines;

	private final ResponseMemory answers;

	private final int maxTokens;

	RequestMemoryFilter(BodyLimits limits, HttpProperties properties, ResponseMemory answers) {
		this.small = new MemoryBudget(Runtime.getRuntime().maxMemory() / SHARE_OF_SMALL);
		this.large = new MemoryBudget(limits.together());
		this.unread = new MemoryBudget(limits.together());
		this.largeLines = new MemoryBudget(Runtime.getRuntime().maxMemory() / SHARE_OF_LINES);
		this.answers = answers;
		this.maxTokens = properties.maxJsonTokens();
	}

	/** What a request has taken for its body until it ends. */
	static BodyMemory of(HttpServletRequest request) {
		return (BodyMemory) request.getAttribute(MEMORY);
	}

	/**
	 * Takes as much as the tokens of a body could cost, until they are counted.
	 * @param length the length of the body
	 */
	MemoryBudget.Share reserve(int length) {
		MemoryBudget.Share share = this.unread.open();
		share.take((long) BYTES_OF_TOKEN * Math.min(this.maxTokens, length));
		return share;
	}

	/**
	 * The memory of the lines of one body. To be closed.
	 * @param largest how many bytes a line may need, but for its tokens
	 */
	LineMemory ofLines(long largest) {
		return new LineMemory(this.largeLines, largest + (long) BYTES_OF_TOKEN * this.maxTokens);
	}

	/** Takes what the tokens of a body cost, until the request ends. */
	static void counted(HttpServletRequest request, long tokens) {
		of(request).take(BYTES_OF_TOKEN * tokens);
	}

	@Override
	protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		BodyMemory body = new BodyMemory(this.small, this.large);
		request.setAttribute(MEMORY, body);
		this.answers.begin();
		try {
			chain.doFilter(request, response);
		}
		finally {
			this.answers.end();
			body.close();
		}
	}

}
