package dev.agentsessions.linearizability;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/** The ways in which sessions begin and end. */
final class Lives {

	/** By so much, clocks may differ in the short time that a session lives. */
	static final long TOLERANCE = 5_000_000;

	private static final String LATER = "2031-01-01T00:00:00Z";

	private final World world;

	private final Recorder recorder;

	private final Sender sender;

	Lives(World world, Sender sender) {
		this.world = world;
		this.recorder = world.recorder();
		this.sender = sender;
	}

	void create(Slot slot, Map<String, String> state, List<Draft> events, @Nullable String ttl) {
		long end = (ttl != null) ? this.recorder.next() : 0;
		Map<String, String> fields = new LinkedHashMap<>();
		fields.put("sessionId", "\"" + slot.id() + "\"");
		fields.put("state", Draft.json(state));
		fields.put("events", events.stream().map(Draft::json).collect(Collectors.joining(",", "[", "]")));
		fields.put("displayName", "\"new\"");
		if (ttl != null) {
			fields.put("ttl", ttl);
		}
		Draft initial = new Draft("", state, "").settingOnly();
		Kept created = Kept.created(slot.user(), initial.own(), events, "new", end);
		this.sender.send("POST", this.world.sessions(slot.user()), Draft.json(fields)).ifPresent((exchange) -> {
			created(slot, initial, created, exchange, ttl);
			if (exchange.status() == 200) {
				Seen seen = Seen.of(exchange.orThrow().json(), exchange.tag(), Integer.MAX_VALUE);
				this.recorder.session(slot, exchange, (kept) -> sessionKey(kept, created, seen));
				this.recorder.saw(slot.user(), exchange.orThrow().at("/state"), exchange);
				slot.remember(exchange.tag(), exchange.lastUpdateTime());
			}
		});
	}

	/** Creates in the dialect of Vertex AI, where an id is taken if any user has it. */
	void createInVertex(Slot slot, String user, Map<String, String> state, @Nullable String ttl) {
		long end = (ttl != null) ? this.recorder.next() : 0;
		Draft initial = new Draft("", state, "").settingOnly();
		String body = "{\"userId\":\"%s\",\"displayName\":\"new\",\"sessionState\":%s%s}".formatted(user,
				Draft.json(state), (ttl != null) ? ",\"ttl\":\"" + ttl + "s\"" : "");
		Kept created = Kept.created(user, initial.own(), List.of(), "new", end);
		this.sender.send("POST", this.world.vertexSessions() + "?sessionId=" + slot.id(), body)
			.ifPresent((exchange) -> {
				created(slot, initial, created, exchange, ttl);
				if (exchange.status() == 200) {
					Seen seen = Seen.ofVertex(exchange.orThrow().at("/response"));
					this.recorder.session(slot, exchange, (kept) -> sessionKey(kept, created, seen));
				}
			});
	}

	/** A session begins where none is, and its answer shows just that. */
	private static List<Kept> sessionKey(Kept kept, Kept created, Seen seen) {
		return kept.isGone() ? seen.of(created) : List.of();
	}

	private void created(Slot slot, Draft initial, Kept created, Exchange exchange, @Nullable String ttl) {
		if (!exchange.isAnswered()) {
			this.recorder.session(slot, exchange, (kept) -> kept.isGone() ? List.of(created) : List.of());
		}
		else if (exchange.status() == 409) {
			this.recorder.read(slot, exchange, (kept) -> kept.isGone() ? List.of() : List.of(kept));
		}
		else if (exchange.status() != 200) {
			this.recorder.fault("Not created: " + exchange.text());
		}
		if (!exchange.isAnswered() || exchange.status() == 200) {
			this.recorder.wrote(created.owner(), initial.shared(), exchange, true);
			if (ttl != null) {
				recordEnd(this.recorder, slot, exchange, created.end(), ttl);
			}
		}
	}

	void delete(Slot slot, Condition condition) {
		this.sender.send("DELETE", this.world.session(slot), null, Appends.headers(condition)).ifPresent((exchange) -> {
			if (exchange.status() == 412) {
				this.recorder.read(slot, exchange,
						(kept) -> (kept.isOf(slot.user()) && condition.mayFail(kept)) ? List.of(kept) : List.of());
			}
			else {
				this.recorder.session(slot, exchange, (kept) -> !kept.isOf(slot.user()) ? List.of(kept)
						: condition.mayHold(kept) ? List.of(Kept.NOTHING) : List.of());
			}
		});
	}

	/** It looks whose it is before it deletes it, and may find it gone by then. */
	void deleteInVertex(Slot slot) {
		boolean contested = slot.users().size() > 1;
		this.sender.send("DELETE", this.world.vertexSession(slot), null).ifPresent((exchange) -> {
			if (exchange.isAnswered() && exchange.status() != 200) {
				this.recorder.read(slot, exchange, missing(this.recorder, null, exchange));
			}
			else {
				this.recorder.session(slot, exchange,
						(kept) -> (contested && !kept.isGone()) ? List.of(Kept.NOTHING, kept) : List.of(Kept.NOTHING));
			}
		});
	}

	/** Erases a user: each session at some moment, and each key that they share. */
	void erase(String user) {
		long number = this.recorder.beginErasure(user);
		List<Slot> forks = List.copyOf(this.world.forksToBe());
		this.sender.send("DELETE", this.world.user(user), null).ifPresent((exchange) -> {
			this.recorder.endErasure(user, number, exchange);
			Stream.concat(this.world.slots().stream(), forks.stream())
				.filter((slot) -> slot.users().contains(user))
				.forEach((slot) -> this.recorder.session(slot, exchange,
						(kept) -> List.of(kept.isOf(user) ? Kept.NOTHING : kept)));
			this.recorder.wrote(user, Map.of("user:u-0", Kept.REMOVED, "user:u-1", Kept.REMOVED), exchange, true);
		});
	}

	/** So many events that a list of them does not come at once. */
	List<Draft> many(int count) {
		return IntStream.range(0, count)
			.mapToObj((i) -> new Draft(Events.token("e" + this.recorder.next(), "0"), Map.of(), "y".repeat(3500)))
			.toList();
	}

	/** Events that come behind those of any other session. */
	List<Draft> late() {
		return List.of(new Draft(Events.token("e" + this.recorder.next(), "late@" + LATER), Map.of(), ""));
	}

	static void recordEnd(Recorder recorder, Slot slot, Exchange exchange, long end, String ttl) {
		long nanos = (long) (Double.parseDouble(ttl) * 1e9);
		slot.endAt(Math.min(exchange.until(), System.nanoTime()) + nanos);
		recorder.end(slot, exchange, end, nanos - TOLERANCE, nanos + TOLERANCE);
	}

	/** Refused because there is no session of this user; {@code null} for any. */
	static Function<Kept, List<Kept>> missing(Recorder recorder, @Nullable String owner, Exchange exchange) {
		if (exchange.status() != 404) {
			recorder.fault("Not expected: " + exchange.text());
		}
		return missing(owner);
	}

	/** There is no session of this user; {@code null} for any. */
	static Function<Kept, List<Kept>> missing(@Nullable String owner) {
		return (kept) -> kept.isOf(owner) ? List.of() : List.of(kept);
	}

}
