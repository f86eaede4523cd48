package dev.agentsessions.session.event;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;

import dev.agentsessions.session.Event;
import dev.agentsessions.session.HistoryView;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.memory.ResponseMemory;

/**
 * Reads one page of events that are answered in another form. Where that is much smaller,
 * what would be several pages is one; all that is kept of them meanwhile is what is
 * answered.
 */
final class EventPageReader {

	/** About so many characters make a page, as of events that are answered as stored. */
	private static final long PAGE = 1 << 22;

	/** To read more than about so many characters for one page would take too long. */
	private static final long MOST_READ = 1 << 28;

	private final Function<EventQuery, EventPage> reader;

	private final UnaryOperator<Event> form;

	private final ResponseMemory memory;

	private final long others;

	private final List<Event> events = new ArrayList<>();

	private long size;

	private long read;

	/**
	 * Creates a reader of one page.
	 * @param reader reads events as they are stored, as many as go into a page
	 * @param form what is answered of an event
	 * @param memory where the reader takes memory
	 */
	EventPageReader(Function<EventQuery, EventPage> reader, UnaryOperator<Event> form, ResponseMemory memory) {
		this.reader = reader;
		this.form = form;
		this.memory = memory;
		this.others = memory.taken();
	}

	/** Reads the page. What a model sees is of one moment, and so of one reading. */
	EventPage read(EventQuery query) {
		EventPage part = readPart(query);
		while (part.more() && hasRoom(query) && query.view() == HistoryView.FULL) {
			part = readPart(
					query.ofSession(part.birth()).behind(part.last().seq()).atMost(query.limit() - this.events.size()));
		}
		return new EventPage(part.birth(), new Page<>(this.events, part.more()));
	}

	private boolean hasRoom(EventQuery query) {
		return this.events.size() < query.limit() && this.size < PAGE && this.read < MOST_READ;
	}

	private EventPage readPart(EventQuery query) {
		EventPage stored = this.reader.apply(query);
		EventPage part = new EventPage(stored.birth(), stored.page().map(this.form));
		this.events.addAll(part.items());
		this.size += size(part);
		this.read += size(stored);
		this.memory.backTo(this.others + this.size);
		return part;
	}

	private static long size(EventPage page) {
		return page.items().stream().mapToLong((event) -> event.body().text().length()).sum();
	}

}
