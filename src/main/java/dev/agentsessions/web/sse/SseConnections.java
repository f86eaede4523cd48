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
import dev.agentsessions.session.heap.HeapShare;
import dev.agentsessions.session.heap.HeapBudget;

/** Opens responses with server-sent events, which continue after the request. */
@Component
public class SseConnections {

	private static final Logger logger = LoggerFactory.getLogger(SseConnections.class);

	private static final int MAX_SMALL_BYTES = 1 << 16;

	/** For bytes that clients have not read yet, as the next one. */
	private final HeapBudget small = new HeapBudget(HeapShare.SMALL_MESSAGES.bytes());

	/** A budget of its own, so that small and large messages do not block each other. */
	private final HeapBudget large = new HeapBudget(HeapShare.LARGE_MESSAGES.bytes());

	/**
	 * Sends the head of the response. The body has no length and ends with the
	 * connection. There is no body for a HEAD request, or if the client has disconnected.
	 * @param listener receives the connection when the body may begin, after the request
	 * has ended
	 * @throws SessionException.InvalidArgument if the protocol is not HTTP/1: other
	 * requests share the connection
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
			logger.debug("The client disconnected before the response was sent", ex);
		}
	}

	/**
	 * Takes memory for bytes that a client has not read yet.
	 * @return the memory, which the caller has to close
	 * @throws SessionException.Unavailable if there is not enough memory
	 */
	HeapBudget.Share take(int bytes) {
		HeapBudget.Share share = ((bytes > MAX_SMALL_BYTES) ? this.large : this.small).open();
		share.takeNow(bytes);
		return share;
	}

	private static void setHeaders(HttpServletResponse response) {
		response.setContentType(MediaType.TEXT_EVENT_STREAM_VALUE + ";charset=UTF-8");
		response.setHeader(HttpHeaders.CONNECTION, "close");
		// Proxies forward each event at once
		response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store, no-transform");
		response.setHeader("X-Accel-Buffering", "no");
	}

}
