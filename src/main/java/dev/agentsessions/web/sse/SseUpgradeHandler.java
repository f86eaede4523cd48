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
 * Takes over a connection from HTTP after the head of the response, as for a web socket.
 * The connection then holds neither a thread nor Tomcat's objects for a request, whose
 * header buffers alone are larger than everything else. Tomcat creates the handler and
 * calls the methods in their order here.
 */
@NullUnmarked
public final class SseUpgradeHandler implements InternalHttpUpgradeHandler {

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
	 * Sets the listener, and the source of memory for bytes that the client has not read.
	 */
	void prepare(SseConnection.Listener listener, SseConnections connections) {
		this.listener = listener;
		this.connections = connections;
	}

	/**
	 * Releases the buffer with the head of the request, which the connection would keep.
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
