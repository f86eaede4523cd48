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
 * The lease of a session while a turn lasts: renews itself until it is closed. Until then, the
 * {@link AgentSessionService} that has given it appends under it, to the session object that it was taken with and to
 * those that it reads of the session meanwhile, as a runner has it do.
 */
public final class TurnLease implements AutoCloseable {

	/** Asks for something to be done with the lease. */
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
	 * The number of the lease, which each append brings along.
	 * @return greater than those of all leases before
	 */
	public long number() {
		return this.number;
	}

	/**
	 * Who has the lease.
	 * @return what others see
	 */
	public String holder() {
		return this.holder;
	}

	/**
	 * Ends when the lease is lost, and never without an error: give it to what should stop then, as in
	 * {@code runner.runAsync(...).takeUntil(lease.lost().toFlowable())}.
	 * @return with {@link LeaseLostException}, or {@link SessionNotFoundException} if the session is gone
	 */
	public Completable lost() {
		return this.lost;
	}

	/**
	 * Gives the lease back, and waits until that is done. It does not fail: a lease that is not given back ends by itself.
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
			// The turn is over, whatever the service says.
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/** What says that something is done under this lease. */
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
			// The service may be back before the lease ends; or it is renewed no more.
		}
	}

	/** A duration as the service reads it. */
	static String seconds(Duration duration) {
		return "%d.%03ds".formatted(duration.toSeconds(), duration.toMillisPart());
	}

}
