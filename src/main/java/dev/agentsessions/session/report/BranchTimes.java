package dev.agentsessions.session.report;

import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The times of the newest events on the branches of a turn. Agents on branches beside
 * each other work at the same time.
 */
public final class BranchTimes {

	/** Events on further branches are left out. */
	private static final int MAX_BRANCHES = 200;

	private final Map<String, Instant> newest = new HashMap<>();

	/** Adds an event. */
	public void add(String branch, Instant time) {
		if (this.newest.size() < MAX_BRANCHES || this.newest.containsKey(branch)) {
			this.newest.merge(branch, time, (one, other) -> one.isAfter(other) ? one : other);
		}
	}

	/**
	 * Returns the time of the newest event before an event that is not on a branch beside
	 * its own.
	 */
	public Optional<Instant> before(String branch, Instant end) {
		return this.newest.entrySet()
			.stream()
			.filter((other) -> isOn(branch, other.getKey()) || isOn(other.getKey(), branch))
			.map(Map.Entry::getValue)
			.filter((time) -> !time.isAfter(end))
			.max(Comparator.naturalOrder());
	}

	private static boolean isOn(String branch, String outer) {
		return outer.isEmpty() || branch.equals(outer) || branch.startsWith(outer + ".");
	}

}
