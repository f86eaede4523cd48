// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.client;

import java.lang.management.ManagementFactory;
import java.time.Duration;

/**
 * How the lease of a session is taken.
 *
 * @param ttl after which it ends by itself, if this process dies or stops: 1 second to 1 hour. It is renewed after a
 * third of it
 * @param exclusive whether all other appends are refused meanwhile, also those that do not care about leases
 * @param holder who has it, for others to see. Something random is added
 */
public record LeaseOptions(Duration ttl, boolean exclusive, String holder) {

	/** A minute, not exclusive, held by this process on this machine. */
	public static final LeaseOptions DEFAULT = new LeaseOptions(Duration.ofMinutes(1), false,
			ManagementFactory.getRuntimeMXBean().getName());

	/**
	 * The same with another time to live.
	 * @param ttl 1 second to 1 hour
	 * @return other options
	 */
	public LeaseOptions ttl(Duration ttl) {
		return new LeaseOptions(ttl, this.exclusive, this.holder);
	}

	/**
	 * The same, exclusive or not.
	 * @param exclusive whether all other appends are refused
	 * @return other options
	 */
	public LeaseOptions exclusive(boolean exclusive) {
		return new LeaseOptions(this.ttl, exclusive, this.holder);
	}

	/**
	 * The same with another holder.
	 * @param holder who has it
	 * @return other options
	 */
	public LeaseOptions holder(String holder) {
		return new LeaseOptions(this.ttl, this.exclusive, holder);
	}

}
