package dev.agentsessions.web;

import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BooleanSupplier;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.heap.HeapBudget;

/**
 * Keeps the body of a response until nothing refers to the objects any more that it was
 * made of, and then sends it. So a client that reads slowly holds only bytes, which are
 * counted. Until the first byte is sent, a failure can still become an error.
 */
public final class CountedResponse extends HttpServletResponseWrapper implements AutoCloseable {

	private static final int MIN_CHUNK_BYTES = 8 * 1024;

	private static final int MAX_CHUNK_BYTES = 64 * 1024;

	private final HeapBudget.Share memory;

	private final BooleanSupplier hasWritten;

	private final Body body = new Body();

	private @Nullable PrintWriter writer;

	/**
	 * Creates the response of a request.
	 * @param response sends the bytes
	 * @param memory takes the memory of the body
	 * @param hasWritten whether the request has stored something. Then its client gets
	 * the response also if there is no memory for it: after an error, the client would
	 * send the request again
	 */
	public CountedResponse(HttpServletResponse response, HeapBudget.Share memory, BooleanSupplier hasWritten) {
		super(response);
		this.memory = memory;
		this.hasWritten = hasWritten;
	}

	@Override
	public ServletOutputStream getOutputStream() {
		return this.body;
	}

	@Override
	public PrintWriter getWriter() throws IOException {
		if (this.writer == null) {
			this.writer = new PrintWriter(new OutputStreamWriter(this.body, getCharacterEncoding()));
		}
		return this.writer;
	}

	/**
	 * Sends the head of a response without a body. A body is sent when it is complete.
	 */
	@Override
	public void flushBuffer() throws IOException {
		if (this.body.isEmpty()) {
			super.flushBuffer();
		}
	}

	@Override
	public void reset() {
		super.reset();
		this.body.clear();
	}

	@Override
	public void resetBuffer() {
		super.resetBuffer();
		this.body.clear();
	}

	/**
	 * Sends the bytes written so far. Gives back their memory as the client reads.
	 * @throws IOException if the client has disconnected, or has read nothing for half a
	 * minute
	 */
	public void send() throws IOException {
		if (this.writer != null) {
			this.writer.flush();
		}
		this.body.send();
	}

	/** Gives back all memory. */
	@Override
	public void close() {
		this.memory.close();
	}

	/** The first bytes go to the container's own buffer, which every request has. */
	private final class Body extends ServletOutputStream {

		private final Deque<byte[]> chunks = new ArrayDeque<>();

		/** The number of bytes in the last chunk. The other chunks are full. */
		private int used;

		private int direct;

		/** Whether the container sends the rest as it is written. */
		private boolean unbounded;

		boolean isEmpty() {
			return this.direct == 0 && this.chunks.isEmpty();
		}

		@Override
		public void write(int value) throws IOException {
			write(new byte[] { (byte) value }, 0, 1);
		}

		@Override
		public void write(byte[] bytes, int offset, int length) throws IOException {
			if (this.unbounded || this.chunks.isEmpty() && this.direct + length < getBufferSize()) {
				getResponse().getOutputStream().write(bytes, offset, length);
				this.direct += length;
				return;
			}
			// The container would send more than its buffer at once
			this.direct = getBufferSize();
			int end = offset + length;
			for (int next = offset; next < end;) {
				byte[] chunk = chunk();
				if (chunk == null) {
					this.unbounded = true;
					send();
					getResponse().getOutputStream().write(bytes, next, end - next);
					return;
				}
				int count = Math.min(end - next, chunk.length - this.used);
				System.arraycopy(bytes, next, chunk, this.used, count);
				this.used += count;
				next += count;
			}
		}

		/**
		 * Returns a chunk with room for more bytes; {@code null} if there is no memory
		 * for the response of a request that has written.
		 * @throws SessionException.Unavailable if there is no memory for another response
		 */
		private byte @Nullable [] chunk() {
			byte[] last = this.chunks.peekLast();
			if (last != null && this.used < last.length) {
				return last;
			}
			int size = nextSize();
			try {
				CountedResponse.this.memory.takeLeavingRoom(size);
			}
			catch (SessionException.Unavailable ex) {
				if (CountedResponse.this.hasWritten.getAsBoolean()) {
					return null;
				}
				throw ex;
			}
			byte[] chunk = new byte[size];
			this.chunks.add(chunk);
			this.used = 0;
			return chunk;
		}

		/** The size of the next chunk: as many bytes as there are already. */
		private int nextSize() {
			return (int) Math.max(MIN_CHUNK_BYTES, Math.min(CountedResponse.this.memory.bytes(), MAX_CHUNK_BYTES));
		}

		void send() throws IOException {
			while (!this.chunks.isEmpty()) {
				byte[] chunk = this.chunks.remove();
				getResponse().getOutputStream().write(chunk, 0, this.chunks.isEmpty() ? this.used : chunk.length);
				CountedResponse.this.memory.backTo(CountedResponse.this.memory.bytes() - chunk.length);
			}
		}

		void clear() {
			CountedResponse.this.writer = null;
			this.chunks.clear();
			this.direct = 0;
			CountedResponse.this.memory.close();
		}

		@Override
		public boolean isReady() {
			return true;
		}

		@Override
		public void setWriteListener(WriteListener listener) {
			throw new IllegalStateException("No request is asynchronous");
		}

	}

}
