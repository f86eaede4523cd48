package dev.agentsessions.web.sse;

import java.io.IOException;

import jakarta.servlet.http.WebConnection;
import org.apache.coyote.http11.upgrade.InternalHttpUpgradeHandler;
import org.apache.tomcat.util.net.AbstractEndpoint.Handler.SocketState;
import org.apache.tomcat.util.net.SSLSupport;
import org.apache.tomcat.util.net.SocketEvent;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.NullUnmarked;

/**
 * A connection that has been taken over from HTTP, as a web socket takes one over, behind
 * the head of an answer: so it holds neither a thread nor what Tomcat keeps for a
 * request, of which the heads alone are more than all the rest. Tomcat makes it, and
 * calls in the order of the methods.
 */
@NullUnmarked
public final class SseUpgradeHandler implements InternalHttpUpgradeHandler {

	private static final int BYTES_TO_IGNORE = 8 * 1024;

	/**
	 * Who has read nothing for so long is given up, as in any other answer, also when its
	 * stream has come to an end. In milliseconds.
	 */
	private static final int PATIENCE = 30_000;

	private SseConnection.Listener listener;

	private SseConnections streams;

	private SocketWrapperBase<?> connection;

	private SseConnection stream;

	/** Tells who is to be told, and who gives memory for what waits. */
	void prepare(SseConnection.Listener listener, SseConnections streams) {
		this.listener = listener;
		this.streams = streams;
	}

	/** The connection would hold on to what has read the head of the request. */
	@Override
	public void setSocketWrapper(SocketWrapperBase<?> wrapper) {
		wrapper.setAppReadBufHandler(null);
		this.connection = wrapper;
		wrapper.setWriteTimeout(PATIENCE);
		this.stream = new SseConnection(this.listener, this.streams, wrapper);
	}

	@Override
	public void init(WebConnection upgraded) {
		this.listener.opened(this.stream);
	}

	@Override
	public SocketState upgradeDispatch(SocketEvent status) {
		switch (status) {
			case OPEN_READ -> readNothing();
			case OPEN_WRITE -> this.stream.writeMore();
			default -> this.connection.close();
		}
		return this.connection.isClosed() ? SocketState.CLOSED : SocketState.UPGRADED;
	}

	/** Nothing is expected but the end. */
	private void readNothing() {
		try {
			if (this.connection.read(false, new byte[BYTES_TO_IGNORE], 0, BYTES_TO_IGNORE) < 0) {
				this.connection.close();
			}
		}
		catch (IOException ex) {
			this.connection.close();
		}
	}

	@Override
	public void destroy() {
		this.stream.closed();
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
