package dev.agentsessions.web;

import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.locks.Lock;

import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.heap.HeapBudget;

/**
 * The body of a response that continues after its request, until the connection closes.
 * No method blocks: the listener is notified when the client reads again. Thread-safe.
 *
 * <p>
 * The lock belongs to the socket. The container holds it, too, when it uses the socket,
 * so nothing is written to a socket that already belongs to another connection.
 */
public final class SseConnection {

	/**
	 * Maximum number of bytes of one write, which fit into the empty buffer of any
	 * connection.
	 */
	private static final int MAX_WRITE_BYTES = 8 * 1024;

	private static final byte[] NOTHING = {};

	private final Listener listener;

	private final SseConnections connections;

	private final SocketWrapperBase<?> socket;

	private byte[] unsent = NOTHING;

	private int sent;

	/** Whether the socket has bytes that the client has not read yet. */
	private boolean full;

	private HeapBudget.@Nullable Share memory;

	private boolean ending;

	SseConnection(Listener listener, SseConnections connections, SocketWrapperBase<?> socket) {
		this.listener = listener;
		this.connections = connections;
		this.socket = socket;
	}

	/** Returns whether bytes can be sent now. */
	public boolean isReady() {
		Lock lock = lock();
		try {
			return !this.full && !this.ending && !this.socket.isClosed();
		}
		finally {
			lock.unlock();
		}
	}

	/**
	 * Sends bytes, or begins to send them and keeps the rest. Does nothing if the
	 * connection is not ready, or if there is no memory for bytes that the client may not
	 * read at once.
	 * @param bytes the bytes, which must not change afterwards
	 * @return whether the bytes are being sent
	 */
	public boolean send(byte[] bytes) {
		Lock lock = lock();
		try {
			boolean possible = isReady() && hasRoomFor(bytes);
			if (possible) {
				this.unsent = bytes;
				write();
			}
			return possible;
		}
		finally {
			lock.unlock();
		}
	}

	/**
	 * Takes memory before the first byte is sent: a message that has begun must be
	 * completed, or the connection is lost.
	 */
	private boolean hasRoomFor(byte[] bytes) {
		try {
			this.memory = (bytes.length > MAX_WRITE_BYTES) ? this.connections.take(bytes.length) : null;
			return true;
		}
		catch (SessionException.Unavailable ex) {
			return false;
		}
	}

	/** Sends bytes, and closes the connection when all of them have been sent. */
	public void end(byte[] bytes) {
		Lock lock = lock();
		try {
			this.unsent = withRest(bytes);
			this.sent = 0;
			this.ending = true;
			if (!this.full && !this.socket.isClosed()) {
				write();
			}
		}
		finally {
			lock.unlock();
		}
	}

	private byte[] withRest(byte[] bytes) {
		byte[] all = Arrays.copyOfRange(this.unsent, this.sent, this.unsent.length + bytes.length);
		System.arraycopy(bytes, 0, all, this.unsent.length - this.sent, bytes.length);
		return all;
	}

	private Lock lock() {
		Lock lock = this.socket.getLock();
		lock.lock();
		return lock;
	}

	/**
	 * Writes as long as the socket takes bytes. After that, the container calls
	 * {@link #writeMore}.
	 */
	private void write() {
		try {
			this.full = this.socket.flush(false);
			while (!this.full && this.sent < this.unsent.length) {
				int length = Math.min(MAX_WRITE_BYTES, this.unsent.length - this.sent);
				this.socket.write(false, this.unsent, this.sent, length);
				this.sent += length;
				this.full = this.socket.flush(false);
			}
			keepRest();
		}
		catch (IOException | SessionException.Unavailable ex) {
			// The client disconnected, or there is no memory for the bytes that it does
			// not read
			this.socket.close();
		}
	}

	private void keepRest() {
		if (this.full) {
			this.memory = (this.memory != null) ? this.memory : this.connections.take(this.unsent.length);
			this.socket.registerWriteInterest();
			return;
		}
		forgetRest();
		if (this.ending) {
			this.socket.close();
		}
	}

	private void forgetRest() {
		this.unsent = NOTHING;
		this.sent = 0;
		if (this.memory != null) {
			this.memory.close();
			this.memory = null;
		}
	}

	/** Continues when the socket takes bytes again. The caller holds the lock. */
	void writeMore() {
		write();
		if (isReady()) {
			this.listener.writable();
		}
	}

	/** Called when the socket is closed, by either side. */
	void closed() {
		forgetRest();
		this.listener.closed();
	}

	/**
	 * Receives the events of a connection. The container calls the methods, which must
	 * not block or fail.
	 */
	public interface Listener {

		/** Bytes that are sent from now on reach the client. */
		void opened(SseConnection connection);

		/** All bytes have been sent, after the connection was not ready for a while. */
		void writable();

		/** The connection is closed. Nothing reaches the client any more. */
		void closed();

	}

}
