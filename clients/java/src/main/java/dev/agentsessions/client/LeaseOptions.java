// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.client;

import java.lang.management.ManagementFactory;
import java.time.Duration;

/**
 * Options for the lease of a session.
 *
 * @param ttl how long the lease lasts without a renewal, for example if this process
 * stops: 1 second to 1 hour. The client renews it after a third of this time
 * @param exclusive whether the service refuses all other appends, including appends
 * without a lease
 * @param holder the name of the holder, which other clients see. The client adds a random
 * suffix
 */
public record LeaseOptions(Duration ttl, boolean exclusive, String holder) {

	/** One minute, not exclusive; the holder is this process on this machine. */
	public static final LeaseOptions DEFAULT = new LeaseOptions(Duration.ofMinutes(1), false,
			ManagementFactory.getRuntimeMXBean().getName());

	/**
	 * Returns these options with another time to live.
	 * @param ttl 1 second to 1 hour
	 * @return new options
	 */
	public LeaseOptions ttl(Duration ttl) {
		return new LeaseOptions(ttl, this.exclusive, this.holder);
	}

	/**
	 * Returns these options, exclusive or not.
	 * @param exclusive whether the service refuses all other appends
	 * @return new options
	 */
	public LeaseOptions exclusive(boolean exclusive) {
		return new LeaseOptions(this.ttl, exclusive, this.holder);
	}

	/**
	 * Returns these options with another holder.
	 * @param holder the name of the holder
	 * @return new options
	 */
	public LeaseOptions holder(String holder) {
		return new LeaseOptions(this.ttl, this.exclusive, holder);
	}

}
