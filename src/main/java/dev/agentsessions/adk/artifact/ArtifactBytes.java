package dev.agentsessions.adk.artifact;

import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.function.LongFunction;

/**
 * The bytes of a version as a stream.
 */
final class ArtifactBytes extends InputStream {

	private static final ByteBuffer EMPTY = ByteBuffer.allocate(0);

	private final long size;

	private final LongFunction<ByteBuffer> blocks;

	private ByteBuffer block = EMPTY;

	private long position;

	ArtifactBytes(long size, LongFunction<ByteBuffer> blocks) {
		this.size = size;
		this.blocks = blocks;
	}

	@Override
	public int read() {
		byte[] one = new byte[1];
		return (read(one, 0, 1) < 0) ? -1 : one[0] & 0xFF;
	}

	@Override
	public int read(byte[] bytes, int offset, int length) {
		if (this.position == this.size) {
			return -1;
		}
		if (!this.block.hasRemaining()) {
			// Before the next block is read, a slow client may have to take this one
			this.block = EMPTY;
			this.block = this.blocks.apply(this.position);
		}
		int count = Math.min(length, this.block.remaining());
		this.block.get(bytes, offset, count);
		this.position += count;
		return count;
	}

}
