package dev.agentsessions.web.body;

import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.heap.HeapBudget;

/**
 * The memory of the current line of an import. The {@linkplain ImportPermits permit} of
 * the import covers most lines. A larger line takes the maximum memory of a line at once:
 * if each import took a little more as the line arrives, several imports could wait for
 * each other. Not thread-safe.
 */
final class LineHeap implements AutoCloseable {

	/**
	 * A line that needs more bytes is large. The rest of a permit is for lines that are
	 * not stored yet.
	 */
	private static final long MAX_SMALL_LINE_BYTES = ImportPermits.BYTES_PER_IMPORT / 2;

	private final HeapBudget.Share largeLines;

	private final long maxBytes;

	private long bytes;

	/**
	 * Creates the memory before the first line.
	 * @param maxBytes the maximum number of bytes that a line may need
	 */
	LineHeap(HeapBudget largeLines, long maxBytes) {
		this.largeLines = largeLines.open();
		this.maxBytes = maxBytes;
	}

	/**
	 * Takes memory for more bytes of the line.
	 * @throws SessionException.Unavailable if other imports do not give back enough
	 * memory within a minute
	 */
	void take(long more) {
		this.bytes += more;
		if (this.bytes > MAX_SMALL_LINE_BYTES && this.largeLines.bytes() == 0) {
			this.largeLines.take(this.maxBytes, ImportPermits.SECONDS_TO_WAIT);
		}
	}

	/** Gives back the memory of the line. */
	@Override
	public void close() {
		this.bytes = 0;
		this.largeLines.close();
	}

}
