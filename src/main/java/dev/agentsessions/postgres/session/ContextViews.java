package dev.agentsessions.postgres.session;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.Lanes;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.postgres.session.ContextEventsStatement.EventBodies;
import dev.agentsessions.postgres.session.HistoryEdits.HistoryEdit;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.event.EventLinks;
import dev.agentsessions.session.event.EventMarks.EventKind;
import dev.agentsessions.session.event.TimeRange;
import dev.agentsessions.session.heap.HeapBudget.HeapShare;
import dev.agentsessions.session.heap.ResponseHeap;

/**
 * Finds the events of a session that a model sees. Stored events never change, so what
 * the summaries hide is remembered until an event rewinds or summarises; it is read from
 * the time and the kind of each event.
 */
@Component
class ContextViews {

	/** Reading more events than this is a heavy read. */
	private static final int MAX_LIGHT_EVENTS = 5000;

	/** A statement reads the times and kinds of at most this number of events. */
	private static final int MAX_BATCH_EVENTS = 50_000;

	private static final int LINKS = EventKind.CALLS | EventKind.ANSWERS | EventKind.NAMED_AFTER_CALL;

	private static final String EVENTS = """
			select seq, kind, date_part('epoch', time) as time from events where session_key = ? and seq > ? and seq <= ?
			""";

	private static final String WAITING = """
			select distinct seq from pending_calls
			where session_key = ? and since_seq <= ? and (closed_seq is null or closed_seq > ?)
			""";

	private final Cache<UUID, View> cache = Caffeine.newBuilder()
		.maximumWeight(HeapShare.CONTEXT_VIEWS.bytes())
		.weigher((UUID sessionKey, View view) -> view.bytes())
		.build();

	private final JdbcTemplate jdbc;

	private final Transactions transactions;

	private final HistoryEdits edits;

	private final EventBodies bodies;

	private final CallPairs pairs;

	private final Lanes lanes;

	private final ResponseHeap memory;

	ContextViews(JdbcTemplate jdbc, Transactions transactions, HistoryEdits edits, EventBodies bodies, CallPairs pairs,
			Lanes lanes, ResponseHeap memory) {
		this.jdbc = jdbc;
		this.transactions = transactions;
		this.edits = edits;
		this.bodies = bodies;
		this.pairs = pairs;
		this.lanes = lanes;
		this.memory = memory;
	}

	/**
	 * Returns the events up to a revision that a model sees.
	 * @throws SessionException.NotFound if the session is gone
	 */
	BitSet visible(UUID sessionKey, int revision) {
		View cached = this.cache.getIfPresent(sessionKey);
		View known = (cached != null && cached.revision <= revision) ? cached : View.EMPTY;
		if (known.revision == revision) {
			return known.visible;
		}
		View view = (known.events(revision) <= MAX_LIGHT_EVENTS) ? next(sessionKey, known, revision)
				: this.lanes.heavy().run(() -> next(sessionKey, known, revision));
		if (cached == known || cached == null) {
			this.cache.put(sessionKey, view);
		}
		return view.visible;
	}

	private View next(UUID sessionKey, View known, int revision) {
		boolean changed = known.revision > 0 && this.edits.areBetween(sessionKey, known.revision, revision);
		View start = changed ? View.EMPTY : known;
		List<HistoryEdit> found = (start.revision == 0) ? this.edits.read(sessionKey, revision) : List.of();
		BitSet live = (start.revision == 0) ? HistoryEdits.live(found, revision)
				: SeqRange.union(start.live, SeqRange.between(start.revision + 1, revision));
		Summaries summaries = (start.revision == 0) ? new Summaries(found, live) : Summaries.NONE;
		BitSet hidden = SeqRange.union(start.hidden, summaries.hidden());
		if (hidden.isEmpty() && summaries.isEmpty()) {
			return new View(revision, live, hidden, hidden, live);
		}
		BitSet links = (BitSet) start.links.clone();
		classify(sessionKey, start.revision, revision, (seq, kind, time) -> {
			boolean hides = (kind & EventKind.NEVER_SUMMARISED) == 0 && !summaries.contain(seq)
					&& summaries.hide(seq, time);
			hidden.set(seq, hidden.get(seq) || hides);
			links.set(seq, (kind & LINKS) != 0);
		}, summaries);
		return new View(revision, live, hidden, links, visible(sessionKey, revision, live, hidden, links));
	}

	/**
	 * Passes the kind and the exact time of some events. It reads the bodies only of
	 * events whose times are at the edge of a summary, and of events that an older
	 * version stored without a kind.
	 */
	private void classify(UUID sessionKey, int after, int last, Classifier classifier, Summaries summaries) {
		BitSet unsure = new BitSet();
		for (int first = after; first < last; first += MAX_BATCH_EVENTS) {
			int end = Math.min(last, first + MAX_BATCH_EVENTS);
			BitSet missing = SeqRange.between(first + 1L, end);
			query(EVENTS, (row) -> {
				int seq = row.getInt("seq");
				missing.clear(seq);
				double time = row.getDouble("time");
				int kind = row.getInt("kind");
				if (row.wasNull() || summaries.areNearEdge(time)) {
					unsure.set(seq);
				}
				else {
					classifier.accept(seq, kind, time);
				}
			}, sessionKey, first, end);
			if (!missing.isEmpty()) {
				throw new SessionException.NotFound();
			}
		}
		this.bodies.oldestFirst(sessionKey, unsure, (event) -> classifier.accept((int) event.seq(),
				EventKind.of(event.body()), EventLinks.of(event.body()).time()));
	}

	/**
	 * A call that waits is visible, and so are the events of visible calls and answers.
	 */
	private BitSet visible(UUID sessionKey, int revision, BitSet live, BitSet hidden, BitSet links) {
		BitSet visible = SeqRange.without(live, hidden);
		BitSet hiddenLinks = SeqRange.common(SeqRange.common(live, hidden), links);
		if (!hiddenLinks.isEmpty()) {
			BitSet waiting = new BitSet();
			query(WAITING, (row) -> waiting.set(row.getInt("seq")), sessionKey, revision, revision);
			visible.or(SeqRange.common(waiting, live));
			hiddenLinks.andNot(visible);
			visible.or(this.pairs.find(sessionKey, SeqRange.common(visible, links), hiddenLinks));
		}
		return visible;
	}

	/** The rows are let go at once: only numbers of them are kept. */
	private void query(String sql, RowCallbackHandler handler, Object... parameters) {
		long before = this.memory.taken();
		this.transactions.statement(() -> {
			this.jdbc.query(sql, handler, parameters);
			return true;
		});
		this.memory.backTo(before);
	}

	/** Gets the seq, the kind and the time of an event. */
	private interface Classifier {

		void accept(int seq, int kind, double time);

	}

	/**
	 * The cached view of a session. Its sets do not change.
	 *
	 * @param revision the seq of the last event
	 * @param live the events that no rewind takes back
	 * @param hidden the events that a summary replaces
	 * @param links the events that call a function, answer, or are named after a call
	 * @param visible the events that a model sees
	 */
	private record View(int revision, BitSet live, BitSet hidden, BitSet links, BitSet visible) {

		private static final View EMPTY = new View(0, new BitSet(), new BitSet(), new BitSet(), new BitSet());

		private static final int SETS = 4;

		private static final int OVERHEAD_BYTES = 500;

		/** Returns about how many events the next view reads. */
		int events(int next) {
			return next - this.revision + SeqRange.common(this.visible, this.links).cardinality();
		}

		int bytes() {
			return (int) Math.min(Integer.MAX_VALUE, OVERHEAD_BYTES + (long) SETS * this.revision / Byte.SIZE);
		}

	}

	/**
	 * The summaries that no rewind takes back. A summary hides the events before it whose
	 * times lie in its range and that it does not exclude. A summary whose range lies
	 * within that of another one is hidden, and of two equal ranges the earlier summary.
	 */
	private static final class Summaries {

		/**
		 * The precision in seconds: stored times have microseconds, and numbers of this
		 * size are a little coarser.
		 */
		private static final double PRECISION_SECONDS = 1e-5;

		private static final Comparator<HistoryEdit> OUTER_FIRST = Comparator
			.comparingDouble((HistoryEdit edit) -> times(edit).from())
			.thenComparing(Comparator.comparingDouble((HistoryEdit edit) -> times(edit).to()).reversed())
			.thenComparing(Comparator.comparingInt(HistoryEdit::seq).reversed());

		/** No summaries. */
		static final Summaries NONE = new Summaries(List.of(), new BitSet());

		private final BitSet all = new BitSet();

		private final BitSet hidden = new BitSet();

		/**
		 * The visible summaries by the begin of their ranges. None lies within another
		 * one, so their ends are in the same order.
		 */
		private final TreeMap<Double, HistoryEdit> whole = new TreeMap<>();

		/** The summaries that exclude events; they hide no other summary. */
		private final List<HistoryEdit> withGaps = new ArrayList<>();

		/**
		 * Finds the summaries among the edits of a history.
		 * @param live the events that no rewind takes back
		 */
		Summaries(List<HistoryEdit> edits, BitSet live) {
			edits.stream()
				.filter((edit) -> edit.summarised() != null && live.get(edit.seq()))
				.sorted(OUTER_FIRST)
				.forEach(this::add);
		}

		private void add(HistoryEdit summary) {
			this.all.set(summary.seq());
			if (!this.whole.isEmpty() && times(this.whole.lastEntry().getValue()).contains(times(summary))) {
				this.hidden.set(summary.seq());
			}
			else if (times(summary).excluded().isEmpty()) {
				this.whole.put(times(summary).from(), summary);
			}
			else {
				this.withGaps.add(summary);
			}
		}

		private static TimeRange times(HistoryEdit summary) {
			return Objects.requireNonNull(summary.summarised());
		}

		boolean isEmpty() {
			return this.all.isEmpty();
		}

		/** Returns the summaries that lie within others. */
		BitSet hidden() {
			return this.hidden;
		}

		/** Whether the event with a seq is a summary. */
		boolean contain(int seq) {
			return this.all.get(seq);
		}

		/**
		 * Whether a summary hides an event.
		 * @param time the exact time that the sender gave the event, in seconds
		 */
		boolean hide(int seq, double time) {
			return around(time)
				.anyMatch((summary) -> summary.seq() > seq && times(summary).replaces(time, PRECISION_SECONDS));
		}

		/**
		 * Whether a time is so close to the begin or the end of a range that it has to be
		 * known exactly.
		 */
		boolean areNearEdge(double time) {
			return around(time)
				.anyMatch((summary) -> isNear(times(summary).from(), time) || isNear(times(summary).to(), time));
		}

		private static boolean isNear(double edge, double time) {
			return Math.abs(edge - time) <= PRECISION_SECONDS;
		}

		/** Returns the summaries whose ranges contain a time or end close to it. */
		private Stream<HistoryEdit> around(double time) {
			return Stream.concat(this.withGaps.stream(),
					this.whole.headMap(time + PRECISION_SECONDS, true)
						.descendingMap()
						.values()
						.stream()
						.takeWhile((summary) -> times(summary).to() >= time - PRECISION_SECONDS));
		}

	}

}
