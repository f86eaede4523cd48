package dev.agentsessions.linearizability;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;

import tools.jackson.databind.JsonNode;

/**
 * Searches for the word that each event says, and events that are forgotten. A search of
 * one session finds all that its events said at some moment, and nothing else.
 */
final class Searches {

	/** How the name of a session begins that no search shows. */
	static final String HIDDEN = "hidden";

	private static final int LIMIT = 100;

	private final World world;

	private final Recorder recorder;

	private final Sender sender;

	private final Random random;

	Searches(World world, Sender sender, Random random) {
		this.world = world;
		this.recorder = world.recorder();
		this.sender = sender;
		this.random = random;
	}

	/** Searches what a user has said in one session. */
	void one(Slot slot, String user) {
		search(user, ",\"sessionId\":\"" + slot.id() + "\"", List.of(slot));
	}

	/**
	 * Searches what a user has said anywhere. Equal texts of forks and imports are one
	 * hit.
	 */
	void all(String user) {
		search(user, "", this.world.allSlots().stream().filter((slot) -> slot.users().contains(user)).toList());
	}

	private void search(String user, String filter, List<Slot> slots) {
		String body = "{\"q\":\"%s\",\"limit\":%d%s}".formatted(Draft.SAID, LIMIT, filter);
		this.sender.send("POST", this.world.user(user) + "/events:search", body)
			.filter(Exchange::isAnswered)
			.ifPresent((exchange) -> found(user, slots, exchange));
	}

	private void found(String user, List<Slot> slots, Exchange exchange) {
		boolean whole = slots.size() == 1 && exchange.orThrow().at("/complete").booleanValue()
				&& exchange.orThrow().at("/nextPageToken").isMissingNode();
		Map<String, Map<Long, String>> bySession = new HashMap<>();
		for (JsonNode hit : exchange.orThrow().at("/hits")) {
			bySession.computeIfAbsent(hit.path("sessionId").asString(), (session) -> new HashMap<>())
				.put(hit.path("seq").longValue(), token(hit));
			checkNotForgotten(user, hit, exchange);
		}
		Set<String> forgotten = this.world.forgotten().maybe(user);
		slots.forEach((slot) -> this.recorder.read(slot, exchange,
				seen(user, bySession.getOrDefault(slot.id(), Map.of()), whole, forgotten)));
	}

	private void checkNotForgotten(String user, JsonNode hit, Exchange exchange) {
		long since = this.world.forgotten().since(hit.path("id").asString());
		if (since < exchange.from() && !this.recorder.mayHaveErased(user, since)) {
			this.recorder.fault("Forgotten, and found: " + hit + " by " + exchange.text());
		}
	}

	private Function<Kept, List<Kept>> seen(String user, Map<Long, String> hits, boolean whole, Set<String> forgotten) {
		return (kept) -> {
			boolean shown = kept.isOf(user) && !kept.displayName().startsWith(HIDDEN);
			if (!shown) {
				return hits.isEmpty() ? List.of(kept) : List.of();
			}
			List<String> all = kept.events().after(0);
			Set<String> live = new HashSet<>(Live.of(kept.events(), this.world.rewinds()));
			boolean right = hits.entrySet()
				.stream()
				.allMatch((hit) -> hit.getKey() <= all.size()
						&& all.get((int) (hit.getKey() - 1)).equals(hit.getValue()) && live.remove(hit.getValue()));
			live.removeAll(forgotten);
			return (right && !(whole && live.stream().anyMatch(Draft::says))) ? List.of(kept) : List.of();
		};
	}

	/** Forgets an event that a search has shown. */
	void forget(Slot slot) {
		String body = "{\"q\":\"%s\",\"sessionId\":\"%s\"}".formatted(Draft.SAID, slot.id());
		this.sender.send("POST", this.world.user(slot.user()) + "/events:search", body)
			.filter((exchange) -> exchange.status() == 200 && !exchange.orThrow().at("/hits").isEmpty())
			.ifPresent((exchange) -> {
				JsonNode hits = exchange.orThrow().at("/hits");
				forget(slot.user(), hits.get(this.random.nextInt(hits.size())));
			});
	}

	private void forget(String user, JsonNode hit) {
		String id = hit.path("id").asString();
		this.world.forgotten().begin(user, token(hit));
		this.sender.send("DELETE", this.world.user(user) + "/memories/" + id, null)
			.filter(Exchange::isAnswered)
			.ifPresent((exchange) -> {
				if (exchange.status() == 204) {
					this.world.forgotten().end(id, exchange.until());
				}
				else {
					this.recorder.fault("Not forgotten: " + exchange.text());
				}
			});
	}

	private static String token(JsonNode hit) {
		String[] words = hit.at("/content/parts/0/text").asString("").split(" ");
		return (words.length > 1) ? words[1] : "wrong/" + hit;
	}

}
