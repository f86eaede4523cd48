// Copyright 2026 the Agent Sessions authors
// SPDX-License-Identifier: Apache-2.0

package dev.agentsessions.client;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.adk.sessions.SessionNotFoundException;
import io.reactivex.rxjava3.core.Completable;
import io.reactivex.rxjava3.disposables.Disposable;
import io.reactivex.rxjava3.schedulers.Schedulers;
import io.reactivex.rxjava3.subjects.CompletableSubject;

/**
 * The lease of a session during a turn. It renews itself until it is closed. Until then,
 * the {@link AgentSessionService} that returned it appends under it: to the session
 * object that the caller took it with, and to the objects of the session that the service
 * reads during the lease, as a runner does.
 */
public final class TurnLease implements AutoCloseable {

	/** Sends a request about the lease. */
	interface Request {

		HttpResponse<JsonNode> send(String verb, String body, Map<String, String> headers) throws InterruptedException;

	}

	private final long number;

	private final String holder;

	private final Duration ttl;

	private final Request request;

	private final Consumer<TurnLease> forget;

	private final CompletableSubject lost = CompletableSubject.create();

	private final Disposable renewing;

	private volatile boolean held = true;

	TurnLease(long number, LeaseOptions options, Request request, Consumer<TurnLease> forget) {
		this.number = number;
		this.holder = options.holder();
		this.ttl = options.ttl();
		this.request = request;
		this.forget = forget;
		long pause = this.ttl.toMillis() / 3;
		this.renewing = Schedulers.io().schedulePeriodicallyDirect(this::renew, pause, pause, TimeUnit.MILLISECONDS);
	}

	/**
	 * Returns the number of the lease, which each append sends.
	 * @return a number greater than the numbers of all earlier leases
	 */
	public long number() {
		return this.number;
	}

	/**
	 * Returns the holder of the lease.
	 * @return the name that other clients see
	 */
	public String holder() {
		return this.holder;
	}

	/**
	 * Ends with an error when the lease is lost, and never completes. Use it to stop a
	 * run, as in {@code runner.runAsync(...).takeUntil(lease.lost().toFlowable())}.
	 * @return ends with {@link LeaseLostException}, or {@link SessionNotFoundException}
	 * if the session no longer exists
	 */
	public Completable lost() {
		return this.lost;
	}

	/**
	 * Releases the lease and waits for the response. It does not fail: a lease that is
	 * not released ends by itself.
	 */
	@Override
	public void close() {
		Map<String, String> headers = headers();
		if (headers.isEmpty()) {
			return;
		}
		this.held = false;
		this.renewing.dispose();
		this.forget.accept(this);
		try {
			this.request.send(":release", "{}", headers);
		}
		catch (RuntimeException ex) {
			// The turn is over, even if the release fails.
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/** Returns the header with the number of this lease. */
	Map<String, String> headers() {
		return this.held ? Map.of("Lease", String.valueOf(this.number)) : Map.of();
	}

	private void renew() {
		try {
			this.request.send(":acquire", "{\"ttl\": \"" + seconds(this.ttl) + "\"}", headers());
		}
		catch (LeaseLostException | SessionNotFoundException ex) {
			if (this.held) {
				this.lost.onError(ex);
				this.renewing.dispose();
			}
		}
		catch (RuntimeException | InterruptedException ex) {
			// The next renewal may succeed before the lease ends.
		}
	}

	/** Formats a duration as the service expects it. */
	static String seconds(Duration duration) {
		return "%d.%03ds".formatted(duration.toSeconds(), duration.toMillisPart());
	}

}
