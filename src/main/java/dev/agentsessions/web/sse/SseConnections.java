package dev.agentsessions.web.sse;

import java.io.IOException;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;

import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.memory.MemoryBudget;

/** Answers with server-sent events that go on after the request. */
@Component
public class SseConnections {

	private static final Logger log = LoggerFactory.getLogger(SseConnections.class);

	/**
	 * The share of the heap for what clients of streams have not read yet, and once more
	 * for what is large, lest the one is kept out by the other.
	 */
	private static final int SHARE_OF_HEAP = 16;

	private static final int LARGE = 1 << 16;

	private final MemoryBudget small = new MemoryBudget(Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP);

	private final MemoryBudget large = new MemoryBudget(Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP);

	/**
	 * Sends the head of the answer. The body has no length and ends with the connection;
	 * there is none if only the head was asked for, or if the client has gone.
	 * @param listener gets the body when it may begin, after the request has ended
	 * @throws SessionException.InvalidArgument if the connection belongs to other
	 * requests, too
	 */
	public void open(HttpServletRequest request, HttpServletResponse response, SseConnection.Listener listener)
			throws ServletException {
		if (!request.getProtocol().startsWith("HTTP/1")) {
			throw new SessionException.InvalidArgument("A stream of events", "must be asked for over HTTP/1.1");
		}
		setHeaders(response);
		if (HttpMethod.HEAD.matches(request.getMethod())) {
			return;
		}
		try {
			response.flushBuffer();
			request.upgrade(SseUpgradeHandler.class).prepare(listener, this);
		}
		catch (IOException ex) {
			log.debug("The client did not wait for the answer", ex);
		}
	}

	/**
	 * Takes memory for something that a client has not read yet.
	 * @return to be closed
	 * @throws SessionException.Unavailable if there is none
	 */
	MemoryBudget.Share take(int bytes) {
		MemoryBudget.Share share = ((bytes > LARGE) ? this.large : this.small).open();
		share.takeNow(bytes);
		return share;
	}

	private static void setHeaders(HttpServletResponse response) {
		response.setContentType(MediaType.TEXT_EVENT_STREAM_VALUE);
		response.setHeader(HttpHeaders.CONNECTION, "close");
		// Whatever is in between hands on each event as it comes
		response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store, no-transform");
		response.setHeader("X-Accel-Buffering", "no");
	}

}
