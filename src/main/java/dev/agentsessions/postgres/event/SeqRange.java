package dev.agentsessions.postgres.event;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

import dev.agentsessions.postgres.StatementParameters;

/**
 * Events that follow each other.
 *
 * @param first the seq of the first
 * @param last the seq of the last
 */
public record SeqRange(int first, int last) {

	/** What a set of seqs consists of, in order. */
	public static List<SeqRange> of(BitSet seqs) {
		List<SeqRange> runs = new ArrayList<>();
		for (int first = seqs.nextSetBit(0); first >= 0;) {
			int end = seqs.nextClearBit(first);
			runs.add(new SeqRange(first, end - 1));
			first = seqs.nextSetBit(end);
		}
		return runs;
	}

	/** The events from one to another one. */
	public static BitSet between(long first, long last) {
		BitSet seqs = new BitSet();
		if (first <= last) {
			seqs.set(Math.toIntExact(first), Math.toIntExact(last) + 1);
		}
		return seqs;
	}

	/** Those of a set that follow a seq, the next ones first, at most so many. */
	public static BitSet following(BitSet seqs, long after, int count) {
		BitSet next = new BitSet();
		int seq = seqs.nextSetBit((int) Math.min(Integer.MAX_VALUE, after + 1));
		for (int left = count; seq >= 0 && left > 0; left--) {
			next.set(seq);
			seq = seqs.nextSetBit(seq + 1);
		}
		return next;
	}

	/** Those of a set that come before a seq, the last ones, at most so many. */
	public static BitSet preceding(BitSet seqs, long before, int count) {
		BitSet last = new BitSet();
		int seq = seqs.previousSetBit((int) Math.min(Integer.MAX_VALUE - 1, before - 1));
		for (int left = count; seq >= 0 && left > 0; left--) {
			last.set(seq);
			seq = (seq > 0) ? seqs.previousSetBit(seq - 1) : -1;
		}
		return last;
	}

	/** Those of a set that are not in another one. */
	public static BitSet without(BitSet seqs, BitSet others) {
		BitSet rest = (BitSet) seqs.clone();
		rest.andNot(others);
		return rest;
	}

	/** Those that are in one of two sets. */
	public static BitSet union(BitSet seqs, BitSet others) {
		BitSet all = (BitSet) seqs.clone();
		all.or(others);
		return all;
	}

	/** Those that are in both of two sets. */
	public static BitSet common(BitSet seqs, BitSet others) {
		BitSet both = (BitSet) seqs.clone();
		both.and(others);
		return both;
	}

	/** Adds two arrays: the first and the last seqs of ranges. */
	public static StatementParameters addTo(StatementParameters parameters, List<SeqRange> ranges) throws SQLException {
		parameters.add("int8", ranges.stream().map((range) -> (long) range.first()).toArray(Long[]::new));
		return parameters.add("int8", ranges.stream().map((range) -> (long) range.last()).toArray(Long[]::new));
	}

}
