package dev.agentsessions.linearizability;

import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;

/** Asks one replica or another, and complains of answers that are always wrong. */
final class Sender {

	private static final int SHOWN = 400;

	private static final int PAUSE_MILLIS = 20;

	private static final int READY_ATTEMPTS = 250;

	private final Replicas replicas;

	private final Recorder recorder;

	private final Random random;

	Sender(Replicas replicas, Recorder recorder, Random random) {
		this.replicas = replicas;
		this.recorder = recorder;
		this.random = random;
	}

	/** Asks; empty if nobody was there, so that nothing can have happened. */
	Optional<Exchange> send(String method, String path, @Nullable String body, String... headers) {
		return sendAs("application/json", method, path, body, headers);
	}

	/** The same with a body of another type. */
	Optional<Exchange> sendAs(String type, String method, String path, @Nullable String body, String... headers) {
		Http http = this.replicas.any(this.random);
		String text = method + " " + path + " " + String.join(" ", headers) + " " + cut((body != null) ? body : "");
		long from = System.nanoTime();
		try {
			Answer answer = ask(http, type, method, path, body, headers);
			Exchange exchange = new Exchange(text + " -> " + answer.status() + " " + answer.header("ETag").orElse("")
					+ " " + cut(answer.body()) + times(from), from, System.nanoTime(), answer);
			complain(exchange);
			if (exchange.isAnswered()) {
				this.recorder.show(answer.body());
			}
			if (exchange.status() == 503) {
				awaitReady();
			}
			return Optional.of(exchange);
		}
		catch (UncheckedIOException ex) {
			pause();
			if (ex.getCause() instanceof ConnectException) {
				return Optional.empty();
			}
			if (!this.replicas.mayFail() && !isCutOff(ex)) {
				this.recorder.fault("No answer: " + text + ": " + ex.getCause());
			}
			return Optional.of(new Exchange(text + " -> no answer" + times(from), from, Operation.NEVER, null));
		}
	}

	private static Answer ask(Http http, String type, String method, String path, @Nullable String body,
			String[] headers) {
		if (body == null) {
			return http.send(method, path, BodyPublishers.noBody(), headers);
		}
		String[] all = Arrays.copyOf(headers, headers.length + 2);
		all[headers.length] = "Content-Type";
		all[headers.length + 1] = type;
		return http.send(method, path, BodyPublishers.ofString(body), all);
	}

	/** As the service has to if a long session goes while it is sent. */
	private static boolean isCutOff(UncheckedIOException ex) {
		return String.valueOf(ex.getMessage()).contains("chunked transfer encoding");
	}

	/**
	 * As clients do that are told to retry later. A replica refuses at once while its
	 * database is away, and too many requests that may have happened or not leave no
	 * order that could be ruled out.
	 */
	private void awaitReady() {
		for (int attempt = 0; attempt < READY_ATTEMPTS; attempt++) {
			pause();
			try {
				if (this.replicas.any(this.random).get("/actuator/health/readiness").status() == 200) {
					return;
				}
			}
			catch (UncheckedIOException ex) {
				// The replica is killed
			}
		}
	}

	private void complain(Exchange exchange) {
		boolean unavailable = exchange.status() == 503 && exchange.orThrow().header("Retry-After").isPresent();
		// An erasure stops uploads, and the service no longer has their bytes to try
		// again
		boolean isStopped = exchange.text().startsWith("PUT ") && this.recorder.mayHaveErased(exchange.from());
		if (exchange.status() >= 500 && !(unavailable && (isStopped || this.replicas.mayFail()))) {
			this.recorder.fault("A fault of the service: " + exchange.text());
		}
	}

	/** The milliseconds since the beginning at which it was asked and answered. */
	private String times(long from) {
		return " [%.1f..%.1f ms]".formatted(this.recorder.millis(from), this.recorder.millis(System.nanoTime()));
	}

	private static String cut(String text) {
		return (text.length() > SHOWN) ? text.substring(0, SHOWN) + "..." : text;
	}

	private static void pause() {
		try {
			Thread.sleep(PAUSE_MILLIS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
