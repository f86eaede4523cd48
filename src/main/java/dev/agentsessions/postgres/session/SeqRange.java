package dev.agentsessions.postgres.session;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

import dev.agentsessions.postgres.StatementParameters;

/**
 * A range of events with successive seqs.
 *
 * @param first the seq of the first
 * @param last the seq of the last
 */
public record SeqRange(int first, int last) {

	/** Returns the ranges of a set of seqs, in ascending order. */
	public static List<SeqRange> of(BitSet seqs) {
		List<SeqRange> ranges = new ArrayList<>();
		for (int first = seqs.nextSetBit(0); first >= 0;) {
			int end = seqs.nextClearBit(first);
			ranges.add(new SeqRange(first, end - 1));
			first = seqs.nextSetBit(end);
		}
		return ranges;
	}

	/** Returns the set of all seqs from {@code first} to {@code last}. */
	public static BitSet between(long first, long last) {
		BitSet seqs = new BitSet();
		if (first <= last) {
			seqs.set(Math.toIntExact(first), Math.toIntExact(last) + 1);
		}
		return seqs;
	}

	/** Returns the first {@code count} seqs of a set that come after a seq. */
	public static BitSet following(BitSet seqs, long after, int count) {
		BitSet next = new BitSet();
		int seq = seqs.nextSetBit((int) Math.min(Integer.MAX_VALUE, after + 1));
		for (int remaining = count; seq >= 0 && remaining > 0; remaining--) {
			next.set(seq);
			seq = seqs.nextSetBit(seq + 1);
		}
		return next;
	}

	/** Returns the last {@code count} seqs of a set that come before a seq. */
	public static BitSet preceding(BitSet seqs, long before, int count) {
		BitSet last = new BitSet();
		int seq = seqs.previousSetBit((int) Math.min(Integer.MAX_VALUE - 1, before - 1));
		for (int remaining = count; seq >= 0 && remaining > 0; remaining--) {
			last.set(seq);
			seq = (seq > 0) ? seqs.previousSetBit(seq - 1) : -1;
		}
		return last;
	}

	/** Returns the seqs of a set that are not in another set. */
	public static BitSet without(BitSet seqs, BitSet others) {
		BitSet rest = (BitSet) seqs.clone();
		rest.andNot(others);
		return rest;
	}

	/** Returns the seqs that are in one of two sets. */
	public static BitSet union(BitSet seqs, BitSet others) {
		BitSet all = (BitSet) seqs.clone();
		all.or(others);
		return all;
	}

	/** Returns the seqs that are in both of two sets. */
	public static BitSet common(BitSet seqs, BitSet others) {
		BitSet both = (BitSet) seqs.clone();
		both.and(others);
		return both;
	}

	/** Adds two arrays: the first and the last seqs of the ranges. */
	public static StatementParameters addTo(StatementParameters parameters, List<SeqRange> ranges) throws SQLException {
		parameters.add("int8", ranges.stream().map((range) -> (long) range.first()).toArray(Long[]::new));
		return parameters.add("int8", ranges.stream().map((range) -> (long) range.last()).toArray(Long[]::new));
	}

}
