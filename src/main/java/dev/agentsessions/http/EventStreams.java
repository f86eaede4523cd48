package dev.agentsessions.http;

import java.io.IOException;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;

import dev.agentsessions.session.MemoryBudget;
import dev.agentsessions.session.SessionException;

/** Answers with server-sent events that go on after the request. */
@Component
public class EventStreams {

	/**
	 * The share of the heap for what clients of streams have not read yet, and once more
	 * for what is large, lest the one is kept out by the other.
	 */
	private static final int SHARE_OF_HEAP = 16;

	private static final int LARGE = 1 << 16;

	private final MemoryBudget small = new MemoryBudget(Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP);

	private final MemoryBudget large = new MemoryBudget(Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP);

	/**
	 * Sends the head of the answer. The body has no length and ends with the connection.
	 * @param listener gets the body when it may begin, after the request has ended
	 * @throws IOException if the client has gone
	 * @throws SessionException.InvalidArgument if the connection belongs to other
	 * requests, too
	 */
	public void open(HttpServletRequest request, HttpServletResponse response, EventStream.Listener listener)
			throws IOException, ServletException {
		if (!request.getProtocol().startsWith("HTTP/1")) {
			throw new SessionException.InvalidArgument("A stream of events", "must be asked for over HTTP/1.1");
		}
		setHeaders(response);
		response.flushBuffer();
		request.upgrade(StreamConnection.class).prepare(listener, this);
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

	/** Sets the headers alone. */
	public static void setHeaders(HttpServletResponse response) {
		response.setContentType(MediaType.TEXT_EVENT_STREAM_VALUE);
		response.setHeader(HttpHeaders.CONNECTION, "close");
		// Whatever is in between hands on each event as it comes
		response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store, no-transform");
		response.setHeader("X-Accel-Buffering", "no");
	}

}
