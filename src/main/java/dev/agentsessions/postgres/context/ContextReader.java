package dev.agentsessions.postgres.context;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.MemoryBoundedReads;
import dev.agentsessions.postgres.Sql;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.postgres.event.ListEventsStatement;
import dev.agentsessions.postgres.event.SeqRange;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.EventStream;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionVersion;
import dev.agentsessions.session.event.EventKind;
import dev.agentsessions.session.event.EventPage;
import dev.agentsessions.session.event.EventQuery;

/**
 * Reads what a model sees of a history. First comes which events those are, and then they
 * are read, and no others. As events never change, all belongs to the moment of the
 * revision that was read first.
 */
@Component
public class ContextReader {

	private static final String HEAD = """
			select revision, details_revision,
			  exists (select from events where session_key = ? and kind & %d <> 0) as marked
			from sessions where session_key = ? and %s
			""".formatted(EventKind.MARKS, Sql.LIVE);

	private final JdbcTemplate jdbc;

	private final Transactions transactions;

	private final ContextSeqFinder seqs;

	private final ContextEventsStatement statement;

	private final MemoryBoundedReads reads;

	ContextReader(JdbcTemplate jdbc, Transactions transactions, ContextSeqFinder seqs, ContextEventsStatement statement,
			MemoryBoundedReads reads) {
		this.jdbc = jdbc;
		this.transactions = transactions;
		this.seqs = seqs;
		this.statement = statement;
		this.reads = reads;
	}

	/**
	 * What a model sees of the history of a session that has been read.
	 * @param marked whether the session has events that rewind or compact
	 */
	public EventStream history(UUID sessionKey, SessionVersion version, boolean marked, EventWindow window) {
		if (window.isEmpty()) {
			return EventStream.EMPTY;
		}
		EventQuery query = new EventQuery(sessionKey, false, window.fromSeq() - 1, Long.MAX_VALUE, window.since(), null,
				null, Integer.MAX_VALUE);
		BitSet left = this.seqs.left(sessionKey, version, marked, window);
		List<Event> first = next(sessionKey, query, left, ListEventsStatement.EVENTS_OF_PIECE);
		return isLast(left, first) ? new EventStream(first) : this.reads.history(first, (piece) -> next(sessionKey,
				query.behind(piece.get(piece.size() - 1).seq()), left, ListEventsStatement.likelyToFit(piece)));
	}

	/** What a model saw of the history of a session at an earlier version. */
	public EventStream history(UUID sessionKey, SessionVersion then, EventWindow window) {
		Head head = head(sessionKey).orElseThrow(SessionException.NotFound::new);
		return history(sessionKey, then, head.marked, window);
	}

	private Optional<Head> head(UUID sessionKey) {
		return this.transactions
			.statement(() -> this.jdbc.query(HEAD, (row, number) -> Head.of(sessionKey, row), sessionKey, sessionKey))
			.stream()
			.findFirst();
	}

	private static boolean isLast(BitSet left, List<Event> piece) {
		return piece.isEmpty() || piece.get(piece.size() - 1).seq() == left.length() - 1;
	}

	/** Lists some of what a model sees; empty if there is no such session. */
	public Optional<EventPage> events(UUID sessionKey, EventQuery query, int size) {
		try {
			return head(sessionKey).map((head) -> events(sessionKey, query.ofSession(sessionKey),
					this.seqs.left(sessionKey, head.version, head.marked), size));
		}
		catch (SessionException.NotFound ex) {
			return Optional.empty();
		}
	}

	private EventPage events(UUID sessionKey, EventQuery query, BitSet left, int size) {
		List<Event> found = new ArrayList<>();
		EventQuery next = query;
		long room = size;
		boolean more = true;
		while (more && room > 0 && found.size() <= query.limit()) {
			List<Event> piece = next(sessionKey, next, left,
					Math.min(ListEventsStatement.EVENTS_OF_PIECE, query.limit()) + 1);
			found.addAll(piece);
			room -= piece.stream().mapToLong((event) -> event.body().text().length()).sum();
			more = !piece.isEmpty();
			next = more ? query.behind(piece.get(piece.size() - 1).seq()) : next;
		}
		Page<Event> page = Page.of(found, query.limit());
		return new EventPage(sessionKey,
				new Page<>(page.items(), page.more() || more && room <= 0 && !between(left, next).isEmpty()));
	}

	/**
	 * The next events that match a query, some of them; none if there are no others.
	 * @param count how many events to look at at once
	 */
	private List<Event> next(UUID sessionKey, EventQuery query, BitSet left, int count) {
		EventQuery behind = query;
		BitSet seqs = piece(left, behind, count);
		while (!seqs.isEmpty()) {
			BitSet piece = seqs;
			List<Event> found = this.reads.read((large) -> this.statement.execute(sessionKey, query, piece, large))
				.page()
				.orElseThrow(SessionException.NotFound::new)
				.items();
			if (!found.isEmpty()) {
				return found;
			}
			behind = query.behind(query.newestFirst() ? piece.nextSetBit(0) : piece.length() - 1L);
			seqs = piece(left, behind, ListEventsStatement.EVENTS_OF_PIECE);
		}
		return List.of();
	}

	private static BitSet piece(BitSet left, EventQuery query, int count) {
		BitSet between = between(left, query);
		return query.newestFirst() ? SeqRange.preceding(between, between.length(), count)
				: SeqRange.following(between, 0, count);
	}

	private static BitSet between(BitSet left, EventQuery query) {
		long first = Math.min(query.afterSeq(), left.length()) + 1;
		long last = Math.min(query.beforeSeq(), left.length()) - 1;
		return SeqRange.common(left, SeqRange.between(first, last));
	}

	/** What a list has to know of the session before it reads events. */
	private record Head(SessionVersion version, boolean marked) {

		static Head of(UUID sessionKey, ResultSet row) throws SQLException {
			return new Head(new SessionVersion(row.getLong("revision"), sessionKey, row.getInt("details_revision")),
					row.getBoolean("marked"));
		}

	}

}
