package dev.agentsessions.session.contract;

import java.util.List;

/** Random histories, for tests of other packages. */
public final class RandomHistories {

	private RandomHistories() {
	}

	/** A history of about this number of events, each in JSON. */
	public static List<String> of(long seed, int count) {
		return new RandomHistory(seed).events(count);
	}

}
