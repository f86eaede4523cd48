package dev.agentsessions.web;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

import jakarta.servlet.ServletException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.apache.coyote.ActionCode;
import org.apache.tomcat.util.net.ApplicationBufferHandler;

/**
 * Reads the rest of a body after an early response, so that a client that is still
 * sending receives the response before the connection closes. A client that sends
 * nothing, or slowly, keeps the thread of its request only for a moment. Tomcat alone
 * would wait for every byte, even from a client without credentials. Tomcat calls this
 * valve also for a request whose line or headers it has refused; it does not know where
 * the body of that begins, so nothing is read.
 */
class UnreadBodyValve extends ValveBase {

	/** How long a client may send nothing. */
	private static final long MAX_SILENCE_NANOS = TimeUnit.SECONDS.toNanos(2);

	/** The minimum rate after that: 50 KB a second. */
	private static final long NANOS_PER_BYTE = TimeUnit.SECONDS.toNanos(1) / 50_000;

	private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

	private final long maxBytes;

	/**
	 * Creates the valve.
	 * @param maxBytes the maximum number of bytes that are read
	 */
	UnreadBodyValve(long maxBytes) {
		super(true);
		this.maxBytes = maxBytes;
	}

	@Override
	public void invoke(Request request, Response response) throws IOException, ServletException {
		org.apache.coyote.Request body = request.getCoyoteRequest();
		boolean hasInvalidHead = hasInvalidHead(body);
		getNext().invoke(request, response);
		if (!hasInvalidHead && !request.isAsync() && !isRead(body) && !body.hasExpectation()) {
			response.finishResponse();
			if (!readRest(body)) {
				body.action(ActionCode.DISABLE_SWALLOW_INPUT, null);
			}
		}
	}

	/** Returns whether Tomcat has refused the request line or a header. */
	private static boolean hasInvalidHead(org.apache.coyote.Request request) {
		AtomicBoolean error = new AtomicBoolean();
		request.action(ActionCode.IS_ERROR, error);
		return error.get();
	}

	/** Returns whether nothing of the body is left to read. */
	private static boolean isRead(org.apache.coyote.Request body) {
		long length = body.getContentLengthLong();
		return (length >= 0) ? body.getBytesRead() >= length
				: body.getHeader("Transfer-Encoding") == null || body.isFinished();
	}

	/** Returns whether the end of the body arrived in time. */
	private boolean readRest(org.apache.coyote.Request body) throws IOException {
		DiscardingHandler discarding = new DiscardingHandler();
		long start = System.nanoTime();
		long count = 0;
		while (!body.isFinished() && count <= this.maxBytes && System.nanoTime() - start < nanosFor(count)) {
			if (hasArrived(body)) {
				count += body.doRead(discarding);
			}
			else {
				LockSupport.parkNanos(POLL_NANOS);
			}
		}
		return body.isFinished();
	}

	/** Returns how many nanoseconds this number of bytes may take. */
	private static long nanosFor(long bytes) {
		return MAX_SILENCE_NANOS + bytes * NANOS_PER_BYTE;
	}

	/** Returns whether bytes can be read without waiting. */
	private static boolean hasArrived(org.apache.coyote.Request body) {
		body.action(ActionCode.AVAILABLE, Boolean.TRUE);
		return body.getAvailable() > 0;
	}

	/** Discards the bytes that are read. */
	private static final class DiscardingHandler implements ApplicationBufferHandler {

		private ByteBuffer buffer = EMPTY_BUFFER;

		@Override
		public void setByteBuffer(ByteBuffer buffer) {
			this.buffer = buffer;
		}

		@Override
		public ByteBuffer getByteBuffer() {
			return this.buffer;
		}

		@Override
		public void expand(int size) {
			// Nothing is stored
		}

	}

}
