package dev.agentsessions.web.tomcat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import jakarta.servlet.ServletException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.apache.coyote.ActionCode;
import org.apache.tomcat.util.net.ApplicationBufferHandler;

/**
 * Reads the rest of a body that was answered before its end, so that a client that still
 * sends hears the answer before the connection closes. A client that sends nothing, or
 * drips, keeps the thread of its request for a moment only; Tomcat alone would wait for
 * every byte, and needs no credentials for that.
 */
class UnreadBodyValve extends ValveBase {

	/** How long a client may send nothing. */
	private static final long NANOS_OF_SILENCE = TimeUnit.SECONDS.toNanos(2);

	/** The least rate beyond that: 50 KB a second. */
	private static final long NANOS_PER_BYTE = TimeUnit.SECONDS.toNanos(1) / 50_000;

	private static final long NANOS_BETWEEN_LOOKS = TimeUnit.MILLISECONDS.toNanos(10);

	private final long mostBytes;

	/**
	 * Creates the valve.
	 * @param mostBytes how many bytes are read at most
	 */
	UnreadBodyValve(long mostBytes) {
		super(true);
		this.mostBytes = mostBytes;
	}

	@Override
	public void invoke(Request request, Response response) throws IOException, ServletException {
		getNext().invoke(request, response);
		org.apache.coyote.Request body = request.getCoyoteRequest();
		if (!request.isAsync() && !isRead(body) && !body.hasExpectation()) {
			response.finishResponse();
			if (!readRest(body)) {
				body.action(ActionCode.DISABLE_SWALLOW_INPUT, null);
			}
		}
	}

	private static boolean isRead(org.apache.coyote.Request body) {
		long length = body.getContentLengthLong();
		return (length >= 0) ? body.getBytesRead() >= length
				: body.getHeader("Transfer-Encoding") == null || body.isFinished();
	}

	/** Whether the end came in time. */
	private boolean readRest(org.apache.coyote.Request body) throws IOException {
		Nowhere nowhere = new Nowhere();
		long start = System.nanoTime();
		long count = 0;
		while (!body.isFinished() && count <= this.mostBytes && System.nanoTime() - start < nanosFor(count)) {
			if (hasArrived(body)) {
				count += body.doRead(nowhere);
			}
			else {
				LockSupport.parkNanos(NANOS_BETWEEN_LOOKS);
			}
		}
		return body.isFinished();
	}

	/** How long so many bytes may take. */
	private static long nanosFor(long bytes) {
		return NANOS_OF_SILENCE + bytes * NANOS_PER_BYTE;
	}

	/** Whether there is something to read without waiting for it. */
	private static boolean hasArrived(org.apache.coyote.Request body) {
		body.action(ActionCode.AVAILABLE, Boolean.TRUE);
		return body.getAvailable() > 0;
	}

	/** Takes what is read and keeps none of it. */
	private static final class Nowhere implements ApplicationBufferHandler {

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
			// What is read is not kept
		}

	}

}
