package dev.agentsessions.web.body;

import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.memory.MemoryBudget;

/**
 * The memory of the line that an import works on. What most lines need belongs to the
 * {@linkplain ImportTurns turn} of the import. A larger line takes at once what the
 * largest one may need: if each took a little more as it arrives, several imports could
 * wait for each other. Of use to one thread.
 */
final class LineMemory implements AutoCloseable {

	/**
	 * A line that needs more is large. The rest of a turn is for lines not stored yet.
	 */
	private static final long MOST_OF_SMALL_LINE = ImportTurns.BYTES_OF_TURN / 2;

	private final MemoryBudget.Share largeLines;

	private final long largest;

	private long bytes;

	/**
	 * Creates the memory of no line yet.
	 * @param largest how many bytes a line may need
	 */
	LineMemory(MemoryBudget largeLines, long largest) {
		this.largeLines = largeLines.open();
		this.largest = largest;
	}

	/**
	 * Takes more for the line.
	 * @throws SessionException.Unavailable if other imports do not give back enough
	 * within a minute
	 */
	void take(long more) {
		this.bytes += more;
		if (this.bytes > MOST_OF_SMALL_LINE && this.largeLines.bytes() == 0) {
			this.largeLines.take(this.largest, ImportTurns.SECONDS_TO_WAIT);
		}
	}

	/** Gives back what the line took. */
	@Override
	public void close() {
		this.bytes = 0;
		this.largeLines.close();
	}

}
