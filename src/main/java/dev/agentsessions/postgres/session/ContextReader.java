package dev.agentsessions.postgres.session;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.HeapBoundedReads;
import dev.agentsessions.postgres.Sql;
import dev.agentsessions.postgres.StatementParameters;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.EventStream;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.Session.SessionVersion;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.event.EventMarks.EventKind;
import dev.agentsessions.session.event.EventPoint;
import dev.agentsessions.session.event.EventQuery;
import dev.agentsessions.session.event.EventQuery.EventFilter;
import dev.agentsessions.session.event.EventQuery.EventPage;

/**
 * Reads the events of a session that a model sees. First it finds their seqs, then it
 * reads these events and no others. Stored events never change, so all events belong to
 * the revision that it read first.
 */
@Component
public class ContextReader {

	private static final String HEAD = """
			select revision,
			  exists (select from events where session_key = ? and kind & %d <> 0) as edited
			from sessions where session_key = ? and %s and %s
			""".formatted(EventKind.CONTEXT_CHANGES, Sql.LIVE, Sql.HAS_POINT);

	private final JdbcTemplate jdbc;

	private final Transactions transactions;

	private final ContextViews views;

	private final ContextEventsStatement statement;

	private final HeapBoundedReads reads;

	ContextReader(JdbcTemplate jdbc, Transactions transactions, ContextViews views, ContextEventsStatement statement,
			HeapBoundedReads reads) {
		this.jdbc = jdbc;
		this.transactions = transactions;
		this.views = views;
		this.statement = statement;
		this.reads = reads;
	}

	/**
	 * Streams the events that a model sees of a version of a session.
	 * @param edited whether the session has events that rewind or compact
	 */
	public EventStream stream(UUID sessionKey, SessionVersion version, boolean edited, EventWindow window) {
		if (window.isEmpty()) {
			return EventStream.EMPTY;
		}
		EventQuery query = EventQuery.of(false, Integer.MAX_VALUE)
			.ofSession(sessionKey)
			.between(window.fromSeq() - 1, Long.MAX_VALUE)
			.filtered(EventFilter.since(window.since()));
		BitSet visible = newest(sessionKey, visible(sessionKey, version.revision(), edited), window);
		List<Event> first = next(sessionKey, query, visible, ListEventsStatement.MAX_CHUNK_EVENTS);
		return isLast(visible, first) ? new EventStream(first) : this.reads.stream(first, (chunk) -> {
			EventQuery following = query.after(chunk.get(chunk.size() - 1).seq());
			int limit = ListEventsStatement.likelyToFit(chunk);
			return () -> next(sessionKey, following, visible, limit);
		});
	}

	/** Streams the events that a model saw of an earlier version of a session. */
	public EventStream stream(UUID sessionKey, SessionVersion then, EventWindow window) {
		Head head = head(sessionKey, null).orElseThrow(SessionException.NotFound::new);
		return stream(sessionKey, then, head.edited, window);
	}

	private BitSet visible(UUID sessionKey, long revision, boolean edited) {
		return edited ? this.views.visible(sessionKey, Math.toIntExact(revision)) : SeqRange.between(1, revision);
	}

	/** Returns the newest of the visible events, as many as a window has. */
	private BitSet newest(UUID sessionKey, BitSet visible, EventWindow window) {
		Instant since = window.since();
		if (window.recent() == null) {
			return visible;
		}
		BitSet stamped = (since == null) ? visible
				: this.transactions.statement(() -> this.statement.since(sessionKey, visible, since));
		return SeqRange.preceding(stamped, stamped.length(), window.recent());
	}

	private Optional<Head> head(UUID sessionKey, @Nullable EventPoint point) {
		return this.transactions.statement(() -> this.jdbc.query(HEAD,
				(statement) -> new StatementParameters(statement).addAll(sessionKey, sessionKey).add(sessionKey, point),
				(row, number) -> Head.of(row)))
			.stream()
			.findFirst();
	}

	private static boolean isLast(BitSet visible, List<Event> chunk) {
		return chunk.isEmpty() || chunk.get(chunk.size() - 1).seq() == visible.length() - 1;
	}

	/**
	 * Reads a page of the events that a model sees; empty if there is no such session.
	 * @param maxChars the page ends early after about this number of characters
	 */
	public Optional<EventPage> events(UUID sessionKey, EventQuery query, int maxChars) {
		try {
			return head(sessionKey, query.point()).map((head) -> events(sessionKey, query.ofSession(sessionKey),
					visible(sessionKey, head.revision, head.edited), maxChars));
		}
		catch (SessionException.NotFound ex) {
			return Optional.empty();
		}
	}

	private EventPage events(UUID sessionKey, EventQuery query, BitSet visible, int maxChars) {
		List<Event> found = new ArrayList<>();
		EventQuery next = query;
		long charsLeft = maxChars;
		boolean more = true;
		while (more && charsLeft > 0 && found.size() <= query.limit()) {
			List<Event> chunk = next(sessionKey, next, visible,
					Math.min(ListEventsStatement.MAX_CHUNK_EVENTS, query.limit()) + 1);
			found.addAll(chunk);
			charsLeft -= chunk.stream().mapToLong((event) -> event.body().length()).sum();
			more = !chunk.isEmpty();
			next = more ? query.after(chunk.get(chunk.size() - 1).seq()) : next;
		}
		Page<Event> page = Page.of(found, query.limit());
		return new EventPage(sessionKey,
				new Page<>(page.items(), page.more() || more && charsLeft <= 0 && !between(visible, next).isEmpty()));
	}

	/**
	 * Returns a chunk of the next events that match a query; empty if there are none.
	 * @param count the most events to look at in the first statement
	 */
	private List<Event> next(UUID sessionKey, EventQuery query, BitSet visible, int count) {
		EventQuery rest = query;
		BitSet seqs = batch(visible, rest, count);
		while (!seqs.isEmpty()) {
			BitSet batch = seqs;
			List<Event> found = this.reads
				.read((deferFrom) -> this.statement.execute(sessionKey, query, batch, deferFrom))
				.page()
				.orElseThrow(SessionException.NotFound::new)
				.items();
			if (!found.isEmpty()) {
				return found;
			}
			rest = query.after(query.newestFirst() ? batch.nextSetBit(0) : batch.length() - 1L);
			seqs = batch(visible, rest, ListEventsStatement.MAX_CHUNK_EVENTS);
		}
		return List.of();
	}

	private static BitSet batch(BitSet visible, EventQuery query, int count) {
		BitSet between = between(visible, query);
		return query.newestFirst() ? SeqRange.preceding(between, between.length(), count)
				: SeqRange.following(between, 0, count);
	}

	private static BitSet between(BitSet visible, EventQuery query) {
		long first = Math.min(query.afterSeq(), visible.length()) + 1;
		long last = Math.min(query.beforeSeq(), visible.length()) - 1;
		return SeqRange.common(visible, SeqRange.between(first, last));
	}

	/** The revision of a session, and whether it has events that rewind or compact. */
	private record Head(long revision, boolean edited) {

		static Head of(ResultSet row) throws SQLException {
			return new Head(row.getLong("revision"), row.getBoolean("edited"));
		}

	}

}
