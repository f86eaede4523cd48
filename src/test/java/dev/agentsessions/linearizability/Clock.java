package dev.agentsessions.linearizability;

import java.math.BigDecimal;

/**
 * The last update time of a session: what it is, or what it must be later than until an
 * answer tells.
 *
 * @param time in decimal seconds
 * @param known whether it is this, and not some later one
 */
record Clock(BigDecimal time, boolean known) {

	static final Clock UNKNOWN = new Clock(BigDecimal.ZERO, false);

	static Clock of(String time) {
		return new Clock(new BigDecimal(time).stripTrailingZeros(), true);
	}

	/** After something was stored, the time has risen. */
	Clock risen() {
		return new Clock(this.time, false);
	}

	boolean mayBe(String other) {
		int order = new BigDecimal(other).compareTo(this.time);
		return this.known ? order == 0 : order > 0;
	}

	boolean mayDiffer(String other) {
		return !this.known || new BigDecimal(other).compareTo(this.time) != 0;
	}

}
