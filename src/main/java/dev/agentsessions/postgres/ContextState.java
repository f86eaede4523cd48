package dev.agentsessions.postgres;

import java.util.BitSet;
import java.util.List;

import dev.agentsessions.session.Event;
import dev.agentsessions.session.EventLinks;
import dev.agentsessions.session.TimeRange;

/**
 * What of a history a model sees, as far as events up to one of them have changed it.
 * Nobody changes its sets.
 *
 * @param upTo the last event that has changed it; later ones are to be looked at
 * @param rewound events that were taken back
 * @param compacted events that a summary stands for, and summaries within others
 * @param recalled those of them that are needed nevertheless, by what is left
 * @param waiting events with function calls that wait for an answer
 * @param compactions the summaries that are left
 */
record ContextState(long upTo, BitSet rewound, BitSet compacted, BitSet recalled, BitSet waiting,
		List<Compaction> compactions) {

	/** Of a history without anything of the kind. */
	static final ContextState WHOLE = new ContextState(0, new BitSet(), new BitSet(), new BitSet(), new BitSet(),
			List.of());

	/** The events up to one that were not taken back. */
	BitSet live(long revision) {
		return SeqRun.without(SeqRun.between(1, revision), this.rewound);
	}

	/** Those of them that no summary stands for. */
	BitSet kept(long revision) {
		return SeqRun.without(live(revision), this.compacted);
	}

	/** Those of them that a summary stands for. */
	BitSet covered(long revision) {
		return SeqRun.common(live(revision), this.compacted);
	}

	/** What a model sees of the events up to one. */
	BitSet left(long revision) {
		BitSet needed = SeqRun.common(SeqRun.union(this.recalled, this.waiting), live(revision));
		return SeqRun.union(kept(revision), needed);
	}

	/** Whether no event up to one can change it without having been noted. */
	boolean isComplete(long revision) {
		return this.compactions.isEmpty() || this.upTo >= revision;
	}

	/**
	 * Whether it stays as it is, whatever came behind what is noted, if these are all.
	 */
	boolean isUnchangedBy(List<Event> events) {
		FunctionLinks links = new FunctionLinks();
		events.stream().filter((event) -> event.seq() > this.upTo).forEach((event) -> {
			EventLinks link = EventLinks.of(event.body());
			links.add((int) event.seq(), link, covers(link));
		});
		return links.covered().isEmpty() && links.elsewhere().isEmpty();
	}

	/** Whether a summary stands for an event. */
	boolean covers(EventLinks event) {
		return event.coverable()
				&& this.compactions.stream().anyMatch((compaction) -> compaction.times().contains(event.time()));
	}

	/** The same with more that is compacted and recalled. */
	ContextState with(BitSet moreCompacted, BitSet moreRecalled) {
		return new ContextState(this.upTo, this.rewound, SeqRun.union(this.compacted, moreCompacted),
				SeqRun.union(this.recalled, moreRecalled), this.waiting, this.compactions);
	}

	/**
	 * The same behind an event that takes back others.
	 * @param first the first of them
	 * @param rewind the event itself, which goes, too
	 */
	ContextState rewound(long first, long rewind) {
		return new ContextState(rewind, SeqRun.union(this.rewound, SeqRun.between(first, rewind)), this.compacted,
				this.recalled, this.waiting, this.compactions);
	}

	/**
	 * A summary.
	 *
	 * @param seq its event
	 * @param times those of the events that it stands for
	 */
	record Compaction(long seq, TimeRange times) {

		/**
		 * Whether another one makes it superfluous. Of two equal ones, the later one
		 * stays.
		 */
		boolean isWithin(Compaction other) {
			return other.times.contains(this.times) && (!this.times.equals(other.times) || other.seq > this.seq);
		}

	}

}
