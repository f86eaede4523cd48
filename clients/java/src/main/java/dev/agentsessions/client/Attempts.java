// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.client;

import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * The attempts of one request, and the pauses between them. Times are in milliseconds.
 */
final class Attempts {

	static final Set<Integer> TEMPORARY = Set.of(429, 502, 503, 504);

	/** Maximum number of attempts that may have reached the service. */
	private static final int MOST = 6;

	private static final long LONGEST_PAUSE = 10_000;

	private static final long LONGEST_UNCONNECTED = 3_000;

	private final Reach reach;

	/** How long the client retries while it cannot connect. */
	private final Duration patience;

	private int sent;

	/** When the client first failed to connect (nanoseconds), or null. */
	private Long unconnectedSince;

	private long pause = 100;

	Attempts(Reach reach, Duration patience) {
		this.reach = reach;
		this.patience = patience;
	}

	/**
	 * Waits before the next attempt: as long as the service asks for, or else the usual
	 * pause. Throws the problem if the request is not sent again.
	 */
	void refused(int status, RuntimeException problem, Duration asked) throws InterruptedException {
		if (!TEMPORARY.contains(status)) {
			throw problem;
		}
		sent(problem, asked.toMillis());
	}

	/**
	 * Waits after an attempt without a response; throws the error if the request is not
	 * sent again.
	 */
	void failed(IOException ex) throws InterruptedException {
		AgentSessionsException problem = this.reach.failed(ex, this.patience);
		if (!Reach.isUnconnected(ex)) {
			sent(problem, 0);
			return;
		}
		long now = System.nanoTime();
		this.unconnectedSince = (this.unconnectedSince != null) ? this.unconnectedSince : now;
		long left = this.patience.toMillis() - TimeUnit.NANOSECONDS.toMillis(now - this.unconnectedSince);
		if (left <= 0) {
			throw problem;
		}
		pause(Math.min(left, Math.min(next(), LONGEST_UNCONNECTED)));
	}

	private void sent(RuntimeException problem, long asked) throws InterruptedException {
		this.unconnectedSince = null;
		if (++this.sent == MOST) {
			throw problem;
		}
		long usual = next();
		pause((asked > 0) ? asked : usual);
	}

	private long next() {
		long next = this.pause + ThreadLocalRandom.current().nextLong(this.pause);
		this.pause = Math.min(this.pause * 2, LONGEST_PAUSE);
		return next;
	}

	private static void pause(long millis) throws InterruptedException {
		Thread.sleep(Math.min(millis, LONGEST_PAUSE));
	}

}
