package dev.agentsessions.faults;

import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

import dev.agentsessions.Answer;
import dev.agentsessions.Http;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An agent that appends one event after the other to its session and repeats each, with
 * the same id, until it is acknowledged. It keeps a ledger of what was.
 */
final class Writer implements Runnable {

	private static final int PAUSE_MILLIS = 50;

	private final String session;

	private final String name;

	private final boolean conditional;

	private final AtomicReference<Http> service;

	private final List<String> acknowledged = new ArrayList<>();

	private volatile boolean running = true;

	private long revision;

	/**
	 * Creates a writer.
	 * @param conditional whether it says what it takes for the newest revision
	 */
	Writer(AtomicReference<Http> service, String session, String name, boolean conditional) {
		this.service = service;
		this.session = session;
		this.name = name;
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

	String name() {
		return this.name;
	}

	private boolean append(String id, int number) {
		String event = "{\"id\":\"%s\",\"author\":\"%s\",\"timestamp\":%d,\"actions\":{\"stateDelta\":{\"%2$s\":%3$d,\"user:%2$s\":%3$d}}}"
			.formatted(id, this.name, number);
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
