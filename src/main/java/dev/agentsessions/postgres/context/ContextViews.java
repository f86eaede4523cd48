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
 * Works out what a model sees of a history, and remembers it. Stored events never change,
 * so what is remembered stays true, and later events are added to it. Events that rewind
 * or compact make it begin anew, in memory and in a time that grows with the number of
 * events only.
 */
@Component
class ContextViews {

	/** The share of the heap that what is remembered may take. */
	private static final int SHARE_OF_HEAP = 20;

	/** Reading this number of events is not heavy. */
	private static final int FEW = 5000;

	private static final int LINKS = EventKind.CALLS | EventKind.ANSWERS | EventKind.NAMED;

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
	 * What a model sees of the events up to one.
	 * @throws dev.agentsessions.session.SessionException.NotFound if the session is gone
	 */
	ContextView at(UUID sessionKey, long revision) {
		Known there = this.cache.getIfPresent(sessionKey);
		Known known = (there != null) ? there : Known.NOTHING;
		int last = Math.toIntExact(revision);
		if (known.view.revision() == last) {
			return known.view;
		}
		return (last - known.index.size() <= FEW) ? next(sessionKey, known, last)
				: this.heavyReads.run(() -> next(sessionKey, known, last));
	}

	private ContextView next(UUID sessionKey, Known known, int revision) {
		ContextIndex index = this.reader.extend(sessionKey, known.index, revision);
		int before = known.view.revision();
		boolean goesOn = before < revision && !index.hasMarks(before + 1, revision);
		BitSet fresh = goesOn ? SeqRange.between(before + 1, revision) : index.live(revision);
		Summaries summaries = goesOn ? known.view.summaries() : index.summaries(fresh);
		BitSet inexact = index.inexact(fresh, summaries);
		ContextIndex exact = inexact.isEmpty() ? index : index.withExact(this.reader.exactTimes(sessionKey, inexact));
		ContextView start = goesOn ? known.view : ContextView.of(0, new BitSet(), summaries);
		ContextView view = summaries.isEmpty()
				? ContextView.of(revision, SeqRange.union(start.live(), fresh), summaries)
				: add(sessionKey, exact, start, fresh, revision);
		if (revision > before) {
			this.cache.put(sessionKey, new Known(exact, view));
		}
		return view;
	}

	/** Adds events to a view with summaries. */
	private ContextView add(UUID sessionKey, ContextIndex index, ContextView start, BitSet fresh, int revision) {
		BitSet live = SeqRange.union(start.live(), fresh);
		BitSet freshKept = index.kept(fresh, start.summaries());
		BitSet kept = SeqRange.union(start.kept(), freshKept);
		Map<Integer, RecalledCalls> recalled = start.copyOfRecalled();
		BitSet needing = index.of(freshKept, LINKS);
		if (!needing.isEmpty()) {
			BitSet others = SeqRange.without(index.of(live, EventKind.CALLS), needing);
			this.calls.recall(sessionKey, needing, others, kept, recalled);
		}
		BitSet answers = index.of(fresh, EventKind.ANSWERS).isEmpty() ? start.answers() : this.siblings.find(sessionKey,
				index.of(SeqRange.without(live, kept), EventKind.CALLS | EventKind.ANSWERS), recalled);
		boolean everWaited = start.everWaited() || !index.of(fresh, EventKind.WAITS).isEmpty();
		BitSet waiting = everWaited ? this.reader.waiting(sessionKey, revision) : new BitSet();
		return new ContextView(revision, live, kept, start.summaries(), recalled, answers, waiting, everWaited);
	}

	/**
	 * What is remembered of a session.
	 *
	 * @param index its events
	 * @param view the newest view that was asked for
	 */
	private record Known(ContextIndex index, ContextView view) {

		private static final Known NOTHING = new Known(ContextIndex.EMPTY, ContextView.EMPTY);

		private static final int OVERHEAD = 500;

		int bytes() {
			return (int) Math.min(Integer.MAX_VALUE, OVERHEAD + this.index.bytes() + this.view.bytes());
		}

	}

}
