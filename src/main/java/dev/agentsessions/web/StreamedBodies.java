package dev.agentsessions.web;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;

import jakarta.servlet.http.HttpServletRequest;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;

import dev.agentsessions.web.ApiDialect.BodyLimit;
import dev.agentsessions.web.RequestHeapFilter.BodyHeap;

/** Opens bodies of any type that are stored as they come, without being in memory. */
@Component
public class StreamedBodies {

	/** What a reader holds of the body at one time, with the copy of the driver. */
	private static final int BYTES_IN_MEMORY = 1024 * 1024;

	/** A body may take a second longer for each of these numbers of bytes. */
	private static final long MIN_BYTES_PER_SECOND = 50_000;

	private final HttpProperties properties;

	StreamedBodies(HttpProperties properties) {
		this.properties = properties;
	}

	/**
	 * Opens the body of a request.
	 * @param limit the maximum size
	 */
	public InputStream open(HttpServletRequest request, BodyLimit limit) throws IOException {
		if (request.getHeader(HttpHeaders.CONTENT_ENCODING) != null) {
			throw BodyReader.problem(HttpStatus.UNSUPPORTED_MEDIA_TYPE,
					"The service stores the body as it comes, and cannot store a Content-Encoding with it", null);
		}
		long announced = request.getContentLengthLong();
		limit.check(announced);
		return new StreamedBody(request.getInputStream(), limit, this.properties.bodyTimeout(),
				RequestHeapFilter.of(request));
	}

	/** A body that ends with an error when it is too large or too slow. */
	private static final class StreamedBody extends InputStream {

		private final InputStream body;

		private final BodyLimit limit;

		private final Duration timeout;

		private final BodyHeap memory;

		private final long start = System.nanoTime();

		private long count;

		private StreamedBody(InputStream body, BodyLimit limit, Duration timeout, BodyHeap memory) {
			this.memory = memory;
			this.body = body;
			this.limit = limit;
			this.timeout = timeout;
		}

		@Override
		public int read() {
			byte[] one = new byte[1];
			return (read(one, 0, 1) < 0) ? -1 : one[0] & 0xFF;
		}

		@Override
		public int read(byte[] bytes, int offset, int length) {
			int read = BodyReader.next(this.body, bytes, offset, length, this.timeout);
			takeMemory(Math.max(0, read));
			this.limit.check(this.count);
			Duration allowed = this.timeout.plusSeconds(this.count / MIN_BYTES_PER_SECOND);
			if (System.nanoTime() - this.start > allowed.toNanos()) {
				throw BodyReader.tooSlow(allowed);
			}
			return read;
		}

		/** A client that sends nothing takes none from others. */
		private void takeMemory(int more) {
			long before = this.count;
			this.count += more;
			if (this.count <= BodyReader.MAX_SMALL_BYTES) {
				this.memory.take(more);
			}
			else if (before <= BodyReader.MAX_SMALL_BYTES) {
				this.memory.becomeLarge(BYTES_IN_MEMORY);
			}
		}

	}

}
