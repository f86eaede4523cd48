package dev.agentsessions.linearizability;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

import dev.agentsessions.support.Json;

/** The ways to read sessions. What cannot be answered any more tells nothing. */
final class Reads {

	private final World world;

	private final Recorder recorder;

	private final Sender sender;

	private final Replicas replicas;

	private final Random random;

	Reads(World world, Sender sender, Replicas replicas, Random random) {
		this.world = world;
		this.recorder = world.recorder();
		this.sender = sender;
		this.replicas = replicas;
		this.random = random;
	}

	/** The whole session. */
	void session(Slot slot) {
		session(slot, Integer.MAX_VALUE);
	}

	void any(Slot slot) {
		switch (this.random.nextInt(6)) {
			case 0, 1 -> session(slot);
			case 2 -> session(slot, this.random.nextInt(4));
			case 3 -> events(slot, this.random.nextInt(6), 1 + this.random.nextInt(8));
			case 4 -> vertexSession(slot);
			default -> vertexEvents(slot);
		}
	}

	/** The session with its newest events. */
	void session(Slot slot, int newest) {
		String query = (newest < Integer.MAX_VALUE) ? "?numRecentEvents=" + newest : "";
		this.sender.send("GET", this.world.session(slot) + query, null)
			.filter(Exchange::isAnswered)
			.ifPresent((exchange) -> record(this.recorder, slot, exchange, newest));
	}

	/** A session with the state that it shares with others. */
	static void record(Recorder recorder, Slot slot, Exchange exchange, int newest) {
		if (exchange.status() != 200) {
			recorder.read(slot, exchange, Lives.missing(recorder, slot.user(), exchange));
			return;
		}
		Seen seen = Seen.of(exchange.orThrow().json(), exchange.tag(), newest);
		recorder.read(slot, exchange, seen::of);
		recorder.saw(slot.user(), exchange.orThrow().at("/state"), exchange);
		slot.remember(exchange.tag(), exchange.lastUpdateTime());
	}

	private void events(Slot slot, int after, int limit) {
		this.sender.send("GET", this.world.session(slot) + "/events?afterSeq=" + after + "&limit=" + limit, null)
			.filter(Exchange::isAnswered)
			.ifPresent((exchange) -> {
				List<String> page = (exchange.status() == 200) ? Seen.tokens(exchange.orThrow().at("/events"))
						: List.of();
				Seen seen = Seen.ofEvents(slot.user(),
						(chain) -> chain.after(after).stream().limit(limit).toList().equals(page));
				this.recorder.read(slot, exchange,
						(exchange.status() == 200) ? seen::of : Lives.missing(this.recorder, slot.user(), exchange));
			});
	}

	private void vertexSession(Slot slot) {
		this.sender.send("GET", this.world.vertexSession(slot), null)
			.filter(Exchange::isAnswered)
			.ifPresent((exchange) -> {
				if (exchange.status() == 200) {
					JsonNode session = exchange.orThrow().json();
					this.recorder.read(slot, exchange, Seen.ofVertex(session)::of);
					this.recorder.saw(session.path("userId").asString(), session.path("sessionState"), exchange);
				}
				else {
					this.recorder.read(slot, exchange, Lives.missing(this.recorder, null, exchange));
				}
			});
	}

	private void vertexEvents(Slot slot) {
		this.sender.send("GET", this.world.vertexSession(slot) + "/events", null)
			.filter(Exchange::isAnswered)
			.ifPresent((exchange) -> recordVertexEvents(slot, exchange, exchange.orThrow().body()));
	}

	/** Reads a list so slowly that the service has to wait while it writes it. */
	void slowly(Slot slot) {
		long from = System.nanoTime();
		Optional<String> body = SlowReader.read(this.replicas.any(this.random).port(),
				this.world.vertexSession(slot) + "/events?pageSize=100000", this.random.nextInt(200));
		String text = "slow GET of all events " + body.map(String::length).orElse(0) + " [" + this.recorder.millis(from)
				+ ".." + this.recorder.millis(System.nanoTime()) + " ms]";
		body.ifPresent((answer) -> recordVertexEvents(slot, new Exchange(text, from, System.nanoTime(), null), answer));
	}

	private void recordVertexEvents(Slot slot, Exchange exchange, String body) {
		try {
			JsonNode answer = Json.read(body);
			if (answer.has("error")) {
				recorded(slot, exchange, answer.at("/error/code").intValue());
			}
			else {
				Chain all = Chain.of(Seen.tokens(answer.path("sessionEvents")));
				this.recorder.read(slot, exchange, Seen.ofEvents(null, all::hasSameEvents)::of);
			}
		}
		catch (JacksonException ex) {
			// The service has cut it off, as it has to if the session goes meanwhile
		}
	}

	private void recorded(Slot slot, Exchange exchange, int status) {
		if (status == 404) {
			this.recorder.read(slot, exchange, Lives.missing(null));
		}
		else if (status != 503 || !this.replicas.mayFail()) {
			this.recorder.fault("Not expected: " + status + " " + exchange.text());
		}
	}

	/** All sessions of a user, and so all that are not there. */
	void list(String user) {
		this.sender.send("GET", this.world.sessions(user), null)
			.filter((exchange) -> exchange.status() == 200)
			.ifPresent((exchange) -> {
				Map<String, JsonNode> byId = exchange.orThrow()
					.json()
					.valueStream()
					.collect(Collectors.toMap((session) -> session.path("id").asString(), (session) -> session,
							(one, other) -> other, TreeMap::new));
				this.world.allSlots().stream().filter((slot) -> slot.users().contains(user)).forEach((slot) -> {
					JsonNode session = byId.get(slot.id());
					this.recorder.read(slot, exchange,
							(session != null) ? Seen.ofList(session)::of : Lives.missing(user));
				});
			});
	}

	void sharedState(String user, String prefix) {
		this.sender.send("GET", this.world.state(user, prefix), null)
			.ifPresent((exchange) -> recordShared(this.recorder, user, prefix, exchange));
	}

	/** The state that sessions share, keys without prefix. */
	static void recordShared(Recorder recorder, String user, String prefix, Exchange exchange) {
		if (exchange.status() == 200) {
			Recorder.SHARED.stream()
				.filter((key) -> key.startsWith(prefix))
				.forEach((key) -> recorder.saw(user, key,
						exchange.orThrow().json().path(key.substring(prefix.length())), exchange));
		}
	}

}
