package dev.agentsessions.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;

import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;

/**
 * An agent that appends one event after the other to its session and repeats each, with
 * the same id, until it is acknowledged. It keeps a ledger of what was.
 */
final class Writer implements Runnable {

	private static final int PAUSE_MILLIS = 50;

	private final String session;

	private final String name;

	private final String content;

	private final boolean conditional;

	private final AtomicReference<Http> service;

	private final List<String> acknowledged = new CopyOnWriteArrayList<>();

	private volatile boolean running = true;

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

	@Override
	public void run() {
		for (int number = 1; this.running; number++) {
			String id = this.name + "-" + number;
			while (!append(id, number)) {
				Thread.onSpinWait();
			}
			this.acknowledged.add(id);
			pause();
		}
	}

	/** Ends after the event that is under way. */
	void stop() {
		this.running = false;
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

	private boolean append(String id, int number) {
		String event = "{\"id\":\"%s\",\"author\":\"%s\",\"timestamp\":%d,\"filler\":\"%s\",\"actions\":{\"stateDelta\":{\"%2$s\":%3$d,\"user:%2$s\":%3$d}}}"
			.formatted(id, this.name, number, this.content);
		try {
			Answer answer = this.conditional
					? this.service.get().post(this.session + "/events", event, "If-Match", "\"" + this.revision + "\"")
					: this.service.get().post(this.session + "/events", event);
			return isAcknowledged(answer);
		}
		catch (UncheckedIOException ex) {
			pause();
			return false;
		}
	}

	private boolean isAcknowledged(Answer answer) {
		assertThat(answer.status()).as(answer.body()).isIn(200, 412, 503);
		if (answer.status() == 503) {
			assertThat(answer.problem(503, "UNAVAILABLE").header("Retry-After")).isPresent();
			this.refusals++;
			pause();
			return false;
		}
		long current = answer.at("/revision").longValue();
		if (answer.status() == 412) {
			assertThat(current).as("a refusal is justified").isNotEqualTo(this.revision);
		}
		this.revision = current;
		return answer.status() == 200;
	}

	/** Lets the other writer of the session have its turn, or the service come back. */
	private static void pause() {
		try {
			Thread.sleep(PAUSE_MILLIS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
