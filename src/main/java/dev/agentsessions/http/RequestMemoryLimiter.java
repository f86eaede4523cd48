package dev.agentsessions.http;

import java.io.IOException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

import dev.agentsessions.session.SessionException;

/**
 * Lets only so many large bodies in at once that the memory is enough for them: each is
 * held several times over while it is worked on. Who does not get a turn soon may try
 * again.
 */
@Component
class RequestMemoryLimiter extends OncePerRequestFilter {

	private static final int KILOBYTE = 1024;

	/** So many bytes of a body always get in. */
	static final int SMALL = 64 * KILOBYTE;

	private static final String TAKEN = RequestMemoryLimiter.class.getName() + ".taken";

	private static final int SECONDS_TO_WAIT = 5;

	private final BodyLimits limits;

	private final Semaphore kilobytes;

	RequestMemoryLimiter(BodyLimits limits) {
		this.limits = limits;
		this.kilobytes = new Semaphore((int) Math.min(Integer.MAX_VALUE, limits.together() / KILOBYTE), true);
	}

	/**
	 * Takes the room for the body of a request until the request ends. To be called when
	 * more than {@link #SMALL} bytes have arrived, so that who announces a large body and
	 * does not send it keeps nobody away.
	 * @throws SessionException.Unavailable if there is no room soon
	 */
	void admit(HttpServletRequest request) {
		int needed = kilobytes(request);
		if (!acquire(needed)) {
			throw new SessionException.Unavailable("Too many large bodies arrive at once. Please retry.");
		}
		request.setAttribute(TAKEN, needed);
	}

	@Override
	protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		try {
			chain.doFilter(request, response);
		}
		finally {
			if (request.getAttribute(TAKEN) instanceof Integer taken) {
				this.kilobytes.release(taken);
			}
		}
	}

	/** A body that does not tell its length may be of any. */
	private int kilobytes(HttpServletRequest request) {
		long announced = request.getContentLengthLong();
		return (int) (((announced >= 0) ? announced : this.limits.of(request).bytes()) / KILOBYTE);
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
