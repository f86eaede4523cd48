package dev.agentsessions.http;

import java.io.IOException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

import dev.agentsessions.session.SessionException;

/**
 * Lets only so many large bodies in at once that the memory is enough for them: each is
 * held several times over while it is worked on. Who does not get his turn soon may try
 * again.
 */
@Component
class LargeBodies extends OncePerRequestFilter {

	private static final int KILOBYTE = 1024;

	/** Shorter ones always get in. */
	private static final int SMALL = 64;

	private static final int SECONDS_TO_WAIT = 5;

	private final BodyLimits limits;

	private final Semaphore kilobytes;

	private final Rejections rejections;

	LargeBodies(BodyLimits limits, Rejections rejections) {
		this.limits = limits;
		this.kilobytes = new Semaphore((int) Math.min(Integer.MAX_VALUE, limits.together() / KILOBYTE), true);
		this.rejections = rejections;
	}

	@Override
	protected boolean shouldNotFilter(HttpServletRequest request) {
		return kilobytes(request) <= SMALL;
	}

	@Override
	protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		int needed = kilobytes(request);
		if (!acquire(needed)) {
			response.setHeader(HttpHeaders.RETRY_AFTER, "1");
			this.rejections.answer(request, response,
					new SessionException.Unavailable("Too many large bodies arrive at once. Please retry."));
			return;
		}
		try {
			chain.doFilter(request, response);
		}
		finally {
			this.kilobytes.release(needed);
		}
	}

	/** A body of unknown length may be of any; too large ones are refused unread. */
	private int kilobytes(HttpServletRequest request) {
		long length = request.getContentLengthLong() / KILOBYTE;
		boolean unknown = length == 0 && request.getHeader(HttpHeaders.TRANSFER_ENCODING) != null;
		long largest = this.limits.of(request).bytes() / KILOBYTE;
		return (int) (unknown ? largest : Math.min(length, largest));
	}

	private boolean acquire(int needed) {
		try {
			return this.kilobytes.tryAcquire(needed, SECONDS_TO_WAIT, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

}
