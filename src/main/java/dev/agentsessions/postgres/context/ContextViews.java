package dev.agentsessions.postgres.context;

import java.util.BitSet;
import java.util.Map;
import java.util.UUID;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.HeavyReads;
import dev.agentsessions.postgres.event.SeqRange;
import dev.agentsessions.session.event.EventKind;

/**
 * Computes which events of a session a model sees, and caches the result. Stored events
 * never change, so a cached view stays true, and later events are added to it. After a
 * rewind or a compaction the view is computed anew, in memory, in a time that grows only
 * with the number of events.
 */
@Component
class ContextViews {

	/** The cache takes at most one part in this number of the heap. */
	private static final int SHARE_OF_HEAP = 20;

	/** Reading more events than this is a heavy read. */
	private static final int MAX_LIGHT_EVENTS = 5000;

	private static final int LINKS = EventKind.CALLS | EventKind.ANSWERS | EventKind.NAMED_AFTER_CALL;

	private final Cache<UUID, Known> cache = Caffeine.newBuilder()
		.maximumWeight(Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP)
		.weigher((UUID sessionKey, Known known) -> known.bytes())
		.build();

	private final ContextIndexReader reader;

	private final FunctionCallSearch calls;

	private final SiblingAnswers siblings;

	private final HeavyReads heavyReads;

	ContextViews(ContextIndexReader reader, FunctionCallSearch calls, SiblingAnswers siblings, HeavyReads heavyReads) {
		this.reader = reader;
		this.calls = calls;
		this.siblings = siblings;
		this.heavyReads = heavyReads;
	}

	/**
	 * Returns what a model sees of the events up to a revision.
	 * @throws dev.agentsessions.session.SessionException.NotFound if the session is gone
	 */
	ContextView at(UUID sessionKey, long revision) {
		Known cached = this.cache.getIfPresent(sessionKey);
		Known known = (cached != null) ? cached : Known.NOTHING;
		int last = Math.toIntExact(revision);
		if (known.view.revision() == last) {
			return known.view;
		}
		return (last - known.index.size() <= MAX_LIGHT_EVENTS) ? next(sessionKey, known, last)
				: this.heavyReads.run(() -> next(sessionKey, known, last));
	}

	private ContextView next(UUID sessionKey, Known known, int revision) {
		ContextIndex index = this.reader.extend(sessionKey, known.index, revision);
		int before = known.view.revision();
		boolean continues = before < revision && !index.hasEdits(before + 1, revision);
		BitSet added = continues ? SeqRange.between(before + 1, revision) : index.live(revision);
		Summaries summaries = continues ? known.view.summaries() : index.summaries(added);
		BitSet inexact = index.inexact(added, summaries);
		ContextIndex exact = inexact.isEmpty() ? index : index.withExact(this.reader.exactTimes(sessionKey, inexact));
		ContextView start = continues ? known.view : ContextView.of(0, new BitSet(), summaries);
		ContextView view = summaries.isEmpty()
				? ContextView.of(revision, SeqRange.union(start.live(), added), summaries)
				: add(sessionKey, exact, start, added, revision);
		if (revision > before) {
			this.cache.put(sessionKey, new Known(exact, view));
		}
		return view;
	}

	/** Adds events to a view with summaries. */
	private ContextView add(UUID sessionKey, ContextIndex index, ContextView start, BitSet added, int revision) {
		BitSet live = SeqRange.union(start.live(), added);
		BitSet addedUncovered = index.uncovered(added, start.summaries());
		BitSet uncovered = SeqRange.union(start.uncovered(), addedUncovered);
		Map<Integer, RecalledCalls> recalled = start.copyOfRecalled();
		BitSet needing = index.of(addedUncovered, LINKS);
		if (!needing.isEmpty()) {
			BitSet others = SeqRange.without(index.of(live, EventKind.CALLS), needing);
			this.calls.recall(sessionKey, needing, others, uncovered, recalled);
		}
		BitSet answers = index.of(added, EventKind.ANSWERS).isEmpty() ? start.answers() : this.siblings.find(sessionKey,
				index.of(SeqRange.without(live, uncovered), EventKind.CALLS | EventKind.ANSWERS), recalled);
		boolean everWaited = start.everWaited() || !index.of(added, EventKind.WAITS).isEmpty();
		BitSet waiting = everWaited ? this.reader.waiting(sessionKey, revision) : new BitSet();
		return new ContextView(revision, live, uncovered, start.summaries(), recalled, answers, waiting, everWaited);
	}

	/**
	 * The cached data of a session.
	 *
	 * @param index the index of its events
	 * @param view the newest view that was read
	 */
	private record Known(ContextIndex index, ContextView view) {

		private static final Known NOTHING = new Known(ContextIndex.EMPTY, ContextView.EMPTY);

		private static final int OVERHEAD_BYTES = 500;

		int bytes() {
			return (int) Math.min(Integer.MAX_VALUE, OVERHEAD_BYTES + this.index.bytes() + this.view.bytes());
		}

	}

}
