package dev.agentsessions.web;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.WebConnection;
import org.apache.coyote.http11.upgrade.InternalHttpUpgradeHandler;
import org.apache.tomcat.util.net.AbstractEndpoint.Handler.SocketState;
import org.apache.tomcat.util.net.SSLSupport;
import org.apache.tomcat.util.net.SocketEvent;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.NullUnmarked;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;

import dev.agentsessions.json.JsonStrings;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.event.EventPoint;
import dev.agentsessions.session.heap.HeapBudget;
import dev.agentsessions.session.heap.HeapBudget.HeapShare;
import dev.agentsessions.watch.Watch;
import dev.agentsessions.watch.Watch.WatchListener;
import dev.agentsessions.watch.Watch.WatchListener.WatchEndReason;

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

	/**
	 * Takes over a connection from HTTP after the head of the response, as for a web
	 * socket. The connection then holds neither a thread nor Tomcat's objects for a
	 * request, whose header buffers alone are larger than everything else. Tomcat creates
	 * the handler and calls the methods in their order here.
	 */
	@NullUnmarked
	public static final class SseUpgradeHandler implements InternalHttpUpgradeHandler {

		private static final int BYTES_TO_IGNORE = 8 * 1024;

		/**
		 * How long a client may read nothing before it is disconnected, as in any other
		 * response, also at the end of its stream.
		 */
		private static final int WRITE_TIMEOUT_MILLIS = 30_000;

		private SseConnection.Listener listener;

		private SseConnections connections;

		private SocketWrapperBase<?> socket;

		private SseConnection connection;

		/**
		 * Sets the listener, and the source of memory for bytes that the client has not
		 * read.
		 */
		void prepare(SseConnection.Listener listener, SseConnections connections) {
			this.listener = listener;
			this.connections = connections;
		}

		/**
		 * Releases the buffer with the head of the request, which the connection would
		 * keep.
		 */
		@Override
		public void setSocketWrapper(SocketWrapperBase<?> wrapper) {
			wrapper.setAppReadBufHandler(null);
			this.socket = wrapper;
			wrapper.setWriteTimeout(WRITE_TIMEOUT_MILLIS);
			this.connection = new SseConnection(this.listener, this.connections, wrapper);
		}

		@Override
		public void init(WebConnection upgraded) {
			this.listener.opened(this.connection);
		}

		@Override
		public SocketState upgradeDispatch(SocketEvent status) {
			switch (status) {
				case OPEN_READ -> ignoreInput();
				case OPEN_WRITE -> this.connection.writeMore();
				default -> this.socket.close();
			}
			return this.socket.isClosed() ? SocketState.CLOSED : SocketState.UPGRADED;
		}

		/** Ignores input. Only the end of the connection is expected. */
		private void ignoreInput() {
			try {
				if (this.socket.read(false, new byte[BYTES_TO_IGNORE], 0, BYTES_TO_IGNORE) < 0) {
					this.socket.close();
				}
			}
			catch (IOException ex) {
				this.socket.close();
			}
		}

		@Override
		public void destroy() {
			this.connection.closed();
		}

		@Override
		public void setSslSupport(SSLSupport sslSupport) {
		}

		@Override
		public void timeoutAsync(long now) {
		}

		@Override
		public void pause() {
		}

	}

	/**
	 * Sends the events of a watch as server-sent events, as HTML defines them. The last
	 * message may have the type {@code end}; a client resumes a stream that ends without
	 * it. A dialect defines how an event of the session is sent.
	 */
	public static abstract class SseWatch implements WatchListener {

		/**
		 * The delay in milliseconds after which an interrupted client reconnects, and the
		 * id from which it resumes if it has received no event.
		 */
		private static final String BEGINNING = "retry: 1000\nid: %s\n\n";

		/** A comment, which clients ignore. */
		private static final String HEARTBEAT = ":\n\n";

		private static final String END = "event: end\ndata: {\"reason\":\"%s\"}\n\n";

		private final SseConnection connection;

		protected SseWatch(SseConnection connection) {
			this.connection = connection;
		}

		/** Returns a listener that starts a watch when its connection opens. */
		public static SseConnection.Listener start(Watch watch, Function<SseConnection, SseWatch> dialect) {
			return new SseConnection.Listener() {

				@Override
				public void opened(SseConnection connection) {
					SseWatch target = dialect.apply(connection);
					target.send(BEGINNING.formatted(watch.point().text()));
					watch.start(target);
				}

				@Override
				public void writable() {
					watch.resume();
				}

				@Override
				public void closed() {
					watch.close();
				}

			};
		}

		@Override
		public final boolean isReady() {
			return this.connection.isReady();
		}

		/**
		 * Adds a message about an event of the session.
		 * @param event the event, from which an interrupted client resumes
		 * @param json the data of the message
		 */
		protected static void addMessage(StringBuilder messages, Event event, String json) {
			messages.append("id: ")
				.append(EventPoint.textOf(event))
				.append("\ndata: ")
				.append(JsonStrings.onOneLine(json))
				.append("\n\n");
		}

		/**
		 * Sends server-sent events.
		 * @return whether they are being sent
		 */
		protected final boolean send(CharSequence events) {
			return this.connection.send(events.toString().getBytes(StandardCharsets.UTF_8));
		}

		@Override
		public final void heartbeat() {
			send(HEARTBEAT);
		}

		@Override
		public final void end(WatchEndReason reason) {
			String last = (reason != WatchEndReason.INTERRUPTED) ? END.formatted(reason) : "";
			this.connection.end(last.getBytes(StandardCharsets.UTF_8));
		}

	}

}
