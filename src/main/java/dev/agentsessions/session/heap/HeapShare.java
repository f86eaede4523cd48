package dev.agentsessions.session.heap;

/**
 * The parts of the heap that requests and caches may use. All parts together leave 15 %
 * of the heap to the rest of the service.
 */
public enum HeapShare {

	/** The buffers of open connections. */
	CONNECTIONS(10),

	/** The memory of watches, in addition to the memory of their connections. */
	WATCHES(54),

	/** The heads, first buffers and stacks of the requests that are processed. */
	ACTIVE_REQUESTS(5),

	/** The request bodies of a size that most requests have. */
	SMALL_BODIES(15),

	/** The other request bodies, as they are sent. Also the limit of one body. */
	LARGE_BODIES(10),

	/** The tokens of request bodies, until they are counted. */
	UNCOUNTED_TOKENS(32),

	/** Imports, without their large lines. */
	IMPORTS(32),

	/** The large lines of imports. */
	LARGE_LINES(64),

	/** The appends that wait to be stored. */
	WAITING_APPENDS(20),

	/** The data that is read from the store for responses, as it is stored. */
	READS(20),

	/** What dialects make of large events until they are written. */
	TRANSLATIONS(24),

	/** The bytes of responses that clients have not read yet. */
	RESPONSES(20),

	/** The small messages of watches that clients have not read yet. */
	SMALL_MESSAGES(40),

	/** The large messages of watches that clients have not read yet. */
	LARGE_MESSAGES(32),

	/** The cache of keys of sessions. */
	SESSION_KEYS(64),

	/** The cache of the events that a model sees of sessions. */
	CONTEXT_VIEWS(50);

	private final int divisor;

	HeapShare(int divisor) {
		this.divisor = divisor;
	}

	/** Returns the size of this part in bytes. */
	public long bytes() {
		return Runtime.getRuntime().maxMemory() / this.divisor;
	}

}
