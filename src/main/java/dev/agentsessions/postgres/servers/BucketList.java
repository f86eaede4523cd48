package dev.agentsessions.postgres.servers;

import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads a list of buckets, such as {@code 7} or {@code 0-15,32-47}. */
final class BucketList {

	/** The last bucket; the first one is 0. */
	static final int LAST = 255;

	private static final Pattern RANGE = Pattern.compile("(\\d{1,3})(?:-(\\d{1,3}))?");

	private BucketList() {
	}

	/**
	 * Returns the buckets of a list.
	 * @throws MoveException if it is no list of buckets from 0 to {@value #LAST}
	 */
	static SortedSet<Integer> parse(String text) {
		SortedSet<Integer> buckets = new TreeSet<>();
		for (String range : text.split(",", -1)) {
			Matcher matcher = RANGE.matcher(range.strip());
			if (!matcher.matches()) {
				throw notValid(text);
			}
			int first = Integer.parseInt(matcher.group(1));
			int last = (matcher.group(2) != null) ? Integer.parseInt(matcher.group(2)) : first;
			if (first > last || last > LAST) {
				throw notValid(text);
			}
			for (int bucket = first; bucket <= last; bucket++) {
				buckets.add(bucket);
			}
		}
		return buckets;
	}

	private static MoveException notValid(String text) {
		return new MoveException("'%s' names no buckets. Buckets are numbers from 0 to %d: 7, 0-63 or 0-15,32-47."
			.formatted(text, LAST));
	}

}
