package dev.agentsessions.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.time.Duration;

import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;

import dev.agentsessions.session.SessionException;

/**
 * Reads bodies whole, which have to be short and arrive soon enough.
 *
 * @param limit how many bytes there may be
 * @param timeout how long they may take
 */
record BodyBytes(long limit, Duration timeout) {

	private static final int CHUNK = 8 * 1024;

	byte[] read(InputStream body) throws IOException {
		long start = System.nanoTime();
		ByteArrayOutputStream bytes = new ByteArrayOutputStream(CHUNK);
		byte[] chunk = new byte[CHUNK];
		for (int count = next(body, chunk); count >= 0; count = next(body, chunk)) {
			bytes.write(chunk, 0, count);
			if (bytes.size() > this.limit) {
				throw new SessionException.PayloadTooLarge(this.limit);
			}
			if (System.nanoTime() - start > this.timeout.toNanos()) {
				throw tooSlow();
			}
		}
		return bytes.toByteArray();
	}

	/** Tomcat waits for the next bytes no longer than for a request. */
	private int next(InputStream body, byte[] chunk) throws IOException {
		try {
			return body.read(chunk);
		}
		catch (SocketTimeoutException ex) {
			throw tooSlow();
		}
	}

	private ErrorResponseException tooSlow() {
		ProblemDetail problem = ProblemDetail.forStatusAndDetail(HttpStatus.REQUEST_TIMEOUT,
				"The body did not arrive within %d seconds (agent-sessions.body-timeout)"
					.formatted(this.timeout.toSeconds()));
		return new ErrorResponseException(HttpStatus.REQUEST_TIMEOUT, problem, null);
	}

}
