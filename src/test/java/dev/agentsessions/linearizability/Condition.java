package dev.agentsessions.linearizability;

import org.jspecify.annotations.Nullable;

/**
 * What a write demands of the session before it.
 *
 * @param tag what {@code If-Match} says, {@code null} for nothing
 * @param lastUpdateTime the time, in decimal seconds, {@code null} for any
 * @param whole whether the details count as well: for whoever changes them or deletes
 * @param lease the number of the lease under which it comes, {@code null} for none
 */
record Condition(@Nullable Tag tag, @Nullable String lastUpdateTime, boolean whole, @Nullable Long lease) {

	static final Condition NONE = new Condition(null, null, false);

	/** Under no lease. */
	Condition(@Nullable Tag tag, @Nullable String lastUpdateTime, boolean whole) {
		this(tag, lastUpdateTime, whole, null);
	}

	/** The same under a lease, {@code null} for none. */
	Condition under(@Nullable Long number) {
		return new Condition(this.tag, this.lastUpdateTime, this.whole, number);
	}

	/** The same of a request that changes or deletes the details. */
	Condition withDetails() {
		return new Condition(this.tag, this.lastUpdateTime, true, this.lease);
	}

	/** The same without the time, which a deletion does not look at. */
	Condition tagOnly() {
		return new Condition(this.tag, null, this.whole);
	}

	/** Whether it holds in a state, as far as that is known. */
	boolean mayHold(Kept kept) {
		return tagMayMatch(kept) && (this.lastUpdateTime == null || kept.clock().mayBe(this.lastUpdateTime));
	}

	/** Whether it fails in a state, as far as that is known. */
	boolean mayFail(Kept kept) {
		boolean tagMayDiffer = this.tag != null && (!tagMayMatch(kept) || (this.tag.sessionKey() != null
				&& (kept.sessionKey() == null || (this.whole && kept.details() == null))));
		return tagMayDiffer || (this.lastUpdateTime != null && kept.clock().mayDiffer(this.lastUpdateTime));
	}

	private boolean tagMayMatch(Kept kept) {
		if (this.tag == null) {
			return true;
		}
		boolean sameSessionKey = this.tag.sessionKey() == null || kept.sessionKey() == null
				|| this.tag.sessionKey().equals(kept.sessionKey());
		boolean sameDetails = !this.whole || this.tag.sessionKey() == null || kept.details() == null
				|| this.tag.details() == kept.details();
		boolean sameTime = this.tag.time() == null || kept.clock().mayBe(this.tag.time());
		return this.tag.revision() == kept.revision() && sameSessionKey && sameTime && sameDetails;
	}

}
