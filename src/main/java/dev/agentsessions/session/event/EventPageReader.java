package dev.agentsessions.session.event;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;

import dev.agentsessions.session.Event;
import dev.agentsessions.session.HistoryView;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.heap.ResponseHeap;

/**
 * Reads one page of events that are returned in another representation. If that is much
 * smaller, several chunks of stored events make one page. Only the returned
 * representation stays in memory meanwhile.
 */
final class EventPageReader {

	/**
	 * Approximate maximum length of a page in characters, as for events that are returned
	 * as stored.
	 */
	private static final long MAX_PAGE_CHARS = 1 << 22;

	/**
	 * Approximate maximum number of characters to read for one page; more would take too
	 * long.
	 */
	private static final long MAX_READ_CHARS = 1 << 28;

	private final Function<EventQuery, EventPage> reader;

	private final UnaryOperator<Event> mapper;

	private final ResponseHeap memory;

	private final long takenBefore;

	private final List<Event> events = new ArrayList<>();

	private long pageChars;

	private long readChars;

	/**
	 * Creates a reader of one page.
	 * @param reader reads stored events, as many as make a page
	 * @param mapper returns the representation of an event
	 * @param memory the memory that the reader takes from
	 */
	EventPageReader(Function<EventQuery, EventPage> reader, UnaryOperator<Event> mapper, ResponseHeap memory) {
		this.reader = reader;
		this.mapper = mapper;
		this.memory = memory;
		this.takenBefore = memory.taken();
	}

	/**
	 * Reads the page. The context of a model belongs to one moment, so it is read at
	 * once.
	 */
	EventPage read(EventQuery query) {
		EventPage part = readPart(query);
		while (part.more() && hasRoom(query) && query.view() == HistoryView.FULL) {
			part = readPart(query.after(part.end()).atMost(query.limit() - this.events.size()));
		}
		return new EventPage(part.birth(), new Page<>(this.events, part.more()));
	}

	private boolean hasRoom(EventQuery query) {
		return this.events.size() < query.limit() && this.pageChars < MAX_PAGE_CHARS && this.readChars < MAX_READ_CHARS;
	}

	private EventPage readPart(EventQuery query) {
		EventPage stored = this.reader.apply(query);
		EventPage part = new EventPage(stored.birth(), stored.page().map(this.mapper));
		this.events.addAll(part.items());
		this.pageChars += chars(part);
		this.readChars += chars(stored);
		this.memory.backTo(this.takenBefore + this.pageChars);
		return part;
	}

	private static long chars(EventPage page) {
		return page.items().stream().mapToLong((event) -> event.body().length()).sum();
	}

}
