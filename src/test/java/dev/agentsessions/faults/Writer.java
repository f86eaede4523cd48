package dev.agentsessions.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;

import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;

/**
 * An agent that appends one event after the other to its session and repeats each, with
 * the same id, until it is acknowledged. It keeps a ledger of the acknowledged events. A
 * schedule runs it.
 */
final class Writer implements Runnable {

	private final String session;

	private final String name;

	private final String content;

	private final boolean conditional;

	private final AtomicReference<Http> service;

	private final List<String> acknowledged = new CopyOnWriteArrayList<>();

	private final CompletableFuture<Void> end = new CompletableFuture<>();

	private volatile boolean stopped;

	/** Whether the newest event was sent and is not acknowledged. */
	private boolean underWay;

	private volatile int refusals;

	private long revision;

	/**
	 * Creates a writer.
	 * @param content what its events carry
	 * @param conditional whether it says what it takes for the newest revision
	 */
	Writer(AtomicReference<Http> service, String session, String name, String content, boolean conditional) {
		this.service = service;
		this.session = session;
		this.name = name;
		this.content = content;
		this.conditional = conditional;
	}

	/**
	 * Tries once to append the next event. If it was refused, the next run tries again.
	 */
	@Override
	public void run() {
		if (this.stopped && !this.underWay) {
			this.end.complete(null);
			return;
		}
		try {
			int number = this.acknowledged.size() + 1;
			String id = this.name + "-" + number;
			this.underWay = true;
			int status = append(id, number);
			while (status == 412) {
				status = append(id, number);
			}
			if (status == 200) {
				this.underWay = false;
				this.acknowledged.add(id);
			}
		}
		catch (RuntimeException | AssertionError ex) {
			this.end.completeExceptionally(ex);
			throw ex;
		}
	}

	/** Ends after the event that is under way. */
	CompletableFuture<Void> stop() {
		this.stopped = true;
		return this.end;
	}

	/** Throws what a run has thrown. */
	void check() {
		if (this.end.isCompletedExceptionally()) {
			this.end.join();
		}
	}

	/** The ids of what was acknowledged, in order. */
	List<String> acknowledged() {
		return this.acknowledged;
	}

	/** How many times it was told to come back later. */
	int refusals() {
		return this.refusals;
	}

	String name() {
		return this.name;
	}

	/** Returns the status, 503 if there is no response. */
	private int append(String id, int number) {
		String event = "{\"id\":\"%s\",\"author\":\"%s\",\"timestamp\":%d,\"filler\":\"%s\",\"actions\":{\"stateDelta\":{\"%2$s\":%3$d,\"user:%2$s\":%3$d}}}"
			.formatted(id, this.name, number, this.content);
		try {
			Answer answer = this.conditional
					? this.service.get().post(this.session + "/events", event, "If-Match", "\"" + this.revision + "\"")
					: this.service.get().post(this.session + "/events", event);
			check(answer);
			return answer.status();
		}
		catch (UncheckedIOException ex) {
			return 503;
		}
	}

	private void check(Answer answer) {
		assertThat(answer.status()).as(answer.body()).isIn(200, 412, 503);
		if (answer.status() == 503) {
			assertThat(answer.problem(503, "UNAVAILABLE").header("Retry-After")).isPresent();
			this.refusals++;
			return;
		}
		long current = answer.at("/revision").longValue();
		if (answer.status() == 412) {
			assertThat(current).as("a refusal is justified").isNotEqualTo(this.revision);
		}
		this.revision = current;
	}

}
