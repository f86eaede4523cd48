package dev.agentsessions.web.sse;

import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.locks.Lock;

import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.memory.MemoryBudget;

/**
 * The body of an answer that goes on after its request, for as long as the connection.
 * Nothing here waits: whoever writes is told when the client has not taken everything
 * yet. Any thread may call.
 *
 * <p>
 * The lock is that of the connection, which the container holds, too, when it does
 * something with it: so nothing is ever written into what is another's connection by
 * then.
 */
public final class SseConnection {

	/** In bytes; so much fits into the empty buffer of any connection. */
	private static final int SLICE = 8 * 1024;

	private static final byte[] NOTHING = {};

	private final Listener listener;

	private final SseConnections streams;

	private final SocketWrapperBase<?> connection;

	private byte[] unsent = NOTHING;

	private int sent;

	/** Whether the connection has what the client has not taken yet. */
	private boolean full;

	private MemoryBudget.@Nullable Share memory;

	private boolean ending;

	SseConnection(Listener listener, SseConnections streams, SocketWrapperBase<?> connection) {
		this.listener = listener;
		this.streams = streams;
		this.connection = connection;
	}

	/** Whether it would take something to send. */
	public boolean isReady() {
		Lock lock = lock();
		try {
			return !this.full && !this.ending && !this.connection.isClosed();
		}
		finally {
			lock.unlock();
		}
	}

	/**
	 * Sends something, or begins to and keeps the rest, unless it is not ready or there
	 * is no memory for what the client may not read at once.
	 * @param bytes not to be changed any more
	 * @return whether it is being sent
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

	/** Takes memory before it begins: what has begun has to be sent, or all is lost. */
	private boolean hasRoomFor(byte[] bytes) {
		try {
			this.memory = (bytes.length > SLICE) ? this.streams.take(bytes.length) : null;
			return true;
		}
		catch (SessionException.Unavailable ex) {
			return false;
		}
	}

	/** Sends something, and hangs up when everything has been sent. */
	public void end(byte[] bytes) {
		Lock lock = lock();
		try {
			this.unsent = withRest(bytes);
			this.sent = 0;
			this.ending = true;
			if (!this.full && !this.connection.isClosed()) {
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
		Lock lock = this.connection.getLock();
		lock.lock();
		return lock;
	}

	/** Writes for as long as the connection takes it; then the container calls. */
	private void write() {
		try {
			this.full = this.connection.flush(false);
			while (!this.full && this.sent < this.unsent.length) {
				int length = Math.min(SLICE, this.unsent.length - this.sent);
				this.connection.write(false, this.unsent, this.sent, length);
				this.sent += length;
				this.full = this.connection.flush(false);
			}
			keepRest();
		}
		catch (IOException | SessionException.Unavailable ex) {
			// The client has gone, or there is no memory for what it does not read
			this.connection.close();
		}
	}

	private void keepRest() {
		if (this.full) {
			this.memory = (this.memory != null) ? this.memory : this.streams.take(this.unsent.length);
			this.connection.registerWriteInterest();
			return;
		}
		forgetRest();
		if (this.ending) {
			this.connection.close();
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

	/** The connection takes something again. The caller has the lock. */
	void writeMore() {
		write();
		if (isReady()) {
			this.listener.writable();
		}
	}

	/** The connection is closed, whoever did it. */
	void closed() {
		forgetRest();
		this.listener.closed();
	}

	/** Who writes. Is called by the container, and neither waits nor fails. */
	public interface Listener {

		/** What is sent from now on reaches the client. */
		void opened(SseConnection stream);

		/** Everything has been sent, after it could not be for a while. */
		void writable();

		/** The connection is closed, and nothing reaches the client any more. */
		void closed();

	}

}
