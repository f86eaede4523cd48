package dev.agentsessions.linearizability;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;

import tools.jackson.databind.JsonNode;

import dev.agentsessions.support.EventSource;
import dev.agentsessions.support.EventSource.Message;

/**
 * The ways to see a session that are worked out from its events: what a model sees, what
 * waits for an answer, which event set a key, and what a watch shows.
 */
final class Views {

	private static final long WATCH_NANOS = 300_000_000;

	private final World world;

	private final Recorder recorder;

	private final Sender sender;

	private final Replicas replicas;

	private final Random random;

	Views(World world, Sender sender, Replicas replicas, Random random) {
		this.world = world;
		this.recorder = world.recorder();
		this.sender = sender;
		this.replicas = replicas;
		this.random = random;
	}

	void any(Slot slot) {
		switch (this.random.nextInt(4)) {
			case 0 -> context(slot);
			case 1 -> pending(slot);
			case 2 -> state(slot);
			default -> watch(slot);
		}
	}

	/** What a model sees. No client compacts, so it is what was not taken back. */
	void context(Slot slot) {
		this.sender.send("GET", this.world.session(slot) + "?view=context", null)
			.filter(Exchange::isAnswered)
			.ifPresent((exchange) -> {
				if (exchange.status() != 200) {
					this.recorder.read(slot, exchange, Lives.missing(this.recorder, slot.user(), exchange));
					return;
				}
				List<String> shown = Seen.tokens(exchange.orThrow().at("/events"));
				this.recorder.read(slot, exchange, Seen.of(exchange.orThrow().json(), exchange.tag(), 0)
					.with((chain) -> Live.of(chain, this.world.rewinds()).equals(shown))::of);
			});
	}

	/** Which calls wait for an answer. */
	void pending(Slot slot) {
		this.sender.send("GET", this.world.session(slot) + "/pending", null)
			.filter(Exchange::isAnswered)
			.ifPresent((exchange) -> {
				List<String> shown = exchange.orThrow()
					.at("/pending")
					.valueStream()
					.map((call) -> call.at("/functionCall/id").asString())
					.toList();
				this.recorder.read(slot, exchange,
						(exchange.status() == 200)
								? Seen.ofEvents(slot.user(),
										(chain) -> Live.waiting(chain, this.world.rewinds()).equals(shown))::of
								: Lives.missing(this.recorder, slot.user(), exchange));
			});
	}

	/** Each key of the own state with the event that set it. */
	void state(Slot slot) {
		this.sender.send("GET", this.world.session(slot) + "/state", null)
			.filter(Exchange::isAnswered)
			.ifPresent((exchange) -> {
				JsonNode answer = exchange.orThrow().at("/state");
				this.recorder.read(slot, exchange,
						(exchange.status() == 200)
								? (kept) -> (kept.isOf(slot.user()) && isExplained(kept, answer))
										? kept.learn(exchange.tag(), exchange.lastUpdateTime()) : List.of()
								: Lives.missing(this.recorder, slot.user(), exchange));
			});
	}

	private static boolean isExplained(Kept kept, JsonNode state) {
		Map<String, String> own = new TreeMap<>();
		List<JsonNode> events = new ArrayList<>();
		state.propertyStream().filter((member) -> !member.getKey().contains(":")).forEach((member) -> {
			own.put(member.getKey(), member.getValue().path("value").toString());
			if (member.getValue().path("event").isObject()) {
				events.add(member.getValue().path("event"));
			}
		});
		return own.equals(kept.state()) && events.stream().allMatch((event) -> isThere(kept, event));
	}

	private static boolean isThere(Kept kept, JsonNode event) {
		List<String> tokens = kept.events().upTo(event.path("seq").asLong());
		return event.path("seq").asLong() == tokens.size()
				&& Events.isOf(tokens.get(tokens.size() - 1), event.path("eventId").asString());
	}

	/**
	 * Watches for a moment. All that is shown has to be of one session, without a gap.
	 */
	void watch(Slot slot) {
		int after = slot.tags().stream().findFirst().map((tag) -> (int) tag.revision()).orElse(0);
		int start = Math.max(0, after - this.random.nextInt(3));
		long from = System.nanoTime();
		String text = "watch of " + slot.id() + " after " + start;
		try (EventSource source = EventSource.open(this.replicas.any(this.random).port(),
				this.world.session(slot) + "/events:watch?afterSeq=" + start)) {
			if (source.status() == 200) {
				shown(slot, source, start, from, text);
			}
			else if (source.status() == 404) {
				this.recorder.read(slot, new Exchange(text + " -> 404", from, System.nanoTime(), null),
						Lives.missing(slot.user()));
			}
			else if (source.status() != 400 && !this.replicas.mayFail()) {
				this.recorder.fault("Not expected: " + source.status() + " " + text);
			}
		}
		catch (UncheckedIOException ex) {
			if (!this.replicas.mayFail()) {
				this.recorder.fault("No answer: " + text + ": " + ex.getCause());
			}
		}
	}

	private void shown(Slot slot, EventSource source, int start, long from, String text) {
		List<String> tokens = new ArrayList<>();
		long last = from;
		Optional<Message> message = next(source, from);
		while (message.isPresent() && Objects.equals(message.get().type(), "message")) {
			last = System.nanoTime();
			tokens.add(Events.token(message.get().json()));
			if (message.get().seq() != start + tokens.size()) {
				this.recorder.fault("A gap in a " + text + ": " + message.get().seq() + " behind " + tokens);
			}
			message = next(source, from);
		}
		if (!tokens.isEmpty()) {
			this.recorder.read(slot, new Exchange(text + " " + tokens, from, last, null), Seen.ofEvents(slot.user(),
					(chain) -> chain.after(start).stream().limit(tokens.size()).toList().equals(tokens))::of);
		}
	}

	private static Optional<Message> next(EventSource source, long from) {
		return source.next(Duration.ofNanos(Math.max(0, from + WATCH_NANOS - System.nanoTime())));
	}

}
