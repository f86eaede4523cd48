package dev.agentsessions.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.agentsessions.embedded.ServiceProcess;
import dev.agentsessions.support.Answer;
import dev.agentsessions.support.Http;

/**
 * The processor time of kinds of requests at a database, beside a plain PostgreSQL in
 * turns, as a table of deploy/citus/README.md. Each of both has a service of its own.
 */
final class ProcessorCosts {

	static final Path TABLE = Path.of("target", "processor-time-of-requests.md");

	/** {@code deploy/citus/check} has more rounds and requests. */
	private static final int ROUNDS = Integer.getInteger("costs.rounds", 1);

	/** Of each kind, for each of both, in each round. */
	private static final int REQUESTS = Integer.getInteger("costs.requests", 2);

	private static final int MANY = 16;

	private static final String APP = "costs-" + Long.toString(System.currentTimeMillis(), 36);

	private static final String USER = "/apps/" + APP + "/users/u";

	private static final String SAID = "{\"id\":\"%s\",\"author\":\"agent\",\"content\":{\"parts\":[{\"text\":\"A car. "
			+ "%s\"}]},\"actions\":{\"stateDelta\":{\"turn\":1}}}";

	private static final String TEXT = "It is blue. ".repeat(15);

	private static final List<Kind> KINDS = List.of(
			new Kind("creating a session", 1,
					(http, number) -> http.post("/apps/" + APP + "/users/new/sessions", "{}")),
			new Kind("an append", 1, (http, number) -> append(http, "s0", number)),
			new Kind("an append, " + MANY + " clients at once", MANY,
					(http, number) -> append(http, "s" + number % MANY, number)),
			new Kind("a session and its newest 20 events", 1,
					(http, number) -> http.get(USER + "/sessions/s1?numRecentEvents=20")),
			new Kind("a session without its user (Vertex AI)", 1,
					(http, number) -> http
						.get("/v1beta1/projects/p/locations/l/reasoningEngines/" + APP + "/sessions/s1")),
			new Kind("the sessions of a user", 1, (http, number) -> http.get(USER + "/sessions")),
			new Kind("the sessions of an app", 1, (http, number) -> http.get("/apps/" + APP + "/sessions")),
			new Kind("a search of a user", 1, (http, number) -> http.get(USER + "/events:search?q=car")),
			new Kind("the artifacts of a user", 1, (http, number) -> http.get(USER + "/artifacts")),
			new Kind("writing a fact", 1,
					(http, number) -> http.post(USER + "/memories", "{\"text\":\"car %d\"}".formatted(number))));

	private final Side measured;

	private final Side plain;

	ProcessorCosts(Side measured, Side plain) {
		this.measured = measured;
		this.plain = plain;
	}

	private static Answer append(Http http, String session, int number) {
		return http.post(USER + "/sessions/" + session + "/events", SAID.formatted("a" + number, TEXT));
	}

	/** Writes what should have been a table. */
	static void writeNothing() throws IOException {
		Files.writeString(TABLE, "The database is not on loopback of this machine, or this machine does not show "
				+ "processor time, so there is none.\n");
	}

	/** Measures each kind, and writes the table. */
	void write() throws IOException {
		List<String> lines = new ArrayList<>(List
			.of("| request | PostgreSQL on plain, µs | all nodes ÷ plain | coordinator ÷ plain | service on plain, µs "
					+ "| service ÷ plain |", "|---|---|---|---|---|---|"));
		prepare(this.measured.http());
		prepare(this.plain.http());
		KINDS.forEach((kind) -> lines.add(line(kind)));
		Files.write(TABLE, lines);
	}

	private static void prepare(Http http) {
		String events = IntStream.range(0, 20)
			.mapToObj((i) -> SAID.formatted("e" + i, TEXT))
			.collect(Collectors.joining(","));
		IntStream.range(0, MANY)
			.forEach((i) -> http.post(USER + "/sessions/s" + i, "{\"state\":{\"a\":1},\"events\":[" + events + "]}")
				.ok());
		http.send("PUT", USER + "/artifacts/car.txt", BodyPublishers.ofString("blue"), "Content-Type", "text/plain")
			.ok();
	}

	private String line(Kind kind) {
		// The first round compiles, plans and fills caches
		List<Turn> turns = IntStream.rangeClosed(0, ROUNDS).mapToObj((round) -> turn(kind)).skip(1).toList();
		return "| %s | %s | %s | %s | %s | %s |".formatted(kind.name,
				micros(turns, (turn) -> turn.plain.coordinator + turn.plain.others),
				ratio(turns,
						(turn) -> (turn.measured.coordinator + turn.measured.others)
								/ (turn.plain.coordinator + turn.plain.others)),
				ratio(turns, (turn) -> turn.measured.coordinator / (turn.plain.coordinator + turn.plain.others)),
				micros(turns, (turn) -> turn.plain.service),
				ratio(turns, (turn) -> turn.measured.service / turn.plain.service));
	}

	private Turn turn(Kind kind) {
		return new Turn(this.measured.measure(kind), this.plain.measure(kind));
	}

	private static String micros(List<Turn> turns, ToDoubleFunction<Turn> nanos) {
		return "%.0f".formatted(sorted(turns, nanos)[ROUNDS / 2] / 1000);
	}

	private static String ratio(List<Turn> turns, ToDoubleFunction<Turn> ratio) {
		double[] sorted = sorted(turns, ratio);
		return String.format(Locale.ROOT, "%.1f (%.1f-%.1f)", sorted[ROUNDS / 2], sorted[0], sorted[ROUNDS - 1]);
	}

	private static double[] sorted(List<Turn> turns, ToDoubleFunction<Turn> value) {
		return turns.stream().mapToDouble(value).sorted().toArray();
	}

	/** A service and the servers of its database, the coordinator first. */
	record Side(ServiceProcess process, Http http, List<ProcessHandle> servers, AtomicInteger sent) {

		Side(ServiceProcess process, List<ProcessHandle> servers) {
			this(process, process.http(), servers, new AtomicInteger());
		}

		private Time measure(Kind kind) {
			ExecutorService clients = Executors.newFixedThreadPool(kind.clients);
			try {
				Time before = time();
				CompletableFuture
					.allOf(IntStream.range(0, REQUESTS)
						.mapToObj((i) -> CompletableFuture.runAsync(() -> send(kind), clients))
						.toArray(CompletableFuture[]::new))
					.join();
				return time().since(before);
			}
			finally {
				clients.shutdown();
			}
		}

		private void send(Kind kind) {
			Answer answer = kind.request.send(this.http, this.sent.incrementAndGet());
			assertThat(answer.status()).as("%s: %s", kind.name, answer.body()).isIn(200, 201);
		}

		private Time time() {
			return new Time(ProcessorTime.ofService(ProcessHandle.of(this.process.pid()).orElseThrow()),
					ProcessorTime.ofServer(this.servers.get(0)),
					this.servers.stream().skip(1).mapToLong(ProcessorTime::ofServer).sum());
		}

	}

	/** Sends a request with a number of its own. */
	private interface Request {

		Answer send(Http http, int number);

	}

	private record Kind(String name, int clients, Request request) {
	}

	private record Turn(Time measured, Time plain) {
	}

	private record Time(double service, double coordinator, double others) {

		Time since(Time before) {
			return new Time((this.service - before.service) / REQUESTS,
					(this.coordinator - before.coordinator) / REQUESTS, (this.others - before.others) / REQUESTS);
		}

	}

}
