package dev.agentsessions.linearizability;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/** The ways to append events, and to change state otherwise. */
final class Appends {

	private final World world;

	private final Recorder recorder;

	private final Sender sender;

	Appends(World world, Sender sender) {
		this.world = world;
		this.recorder = world.recorder();
		this.sender = sender;
	}

	/** Appends one event, or some together. */
	void append(Slot slot, List<Draft> drafts, Condition condition, boolean again) {
		slot.remember(drafts);
		Append append = new Append(slot.user(), drafts, condition, null, 0);
		String path = this.world.session(slot) + ((drafts.size() == 1) ? "/events" : "/events:batch")
				+ query(condition);
		String body = (drafts.size() == 1) ? drafts.get(0).json()
				: drafts.stream().map(Draft::json).collect(Collectors.joining(",", "{\"events\":[", "]}"));
		this.sender.send("POST", path, body, headers(condition)).ifPresent((exchange) -> {
			record(slot, append, exchange);
			wrote(slot.user(), drafts, exchange, !again);
			if (exchange.status() == 200) {
				slot.remember(exchange.tag(), exchange.lastUpdateTime());
			}
		});
	}

	/** Appends in the dialect of Vertex AI, which tells nothing but that it was done. */
	void appendInVertex(Slot slot, Draft draft) {
		Append append = new Append(null, List.of(draft), Condition.NONE, null, 0);
		this.sender.send("POST", this.world.vertexSession(slot) + ":appendEvent", draft.vertexJson())
			.ifPresent((exchange) -> {
				if (exchange.status() == 200) {
					this.recorder.session(slot, exchange, append::storedOrReplayed);
				}
				else {
					record(slot, append, exchange);
				}
				wrote(slot.user(), List.of(draft), exchange, slot.users().size() == 1);
			});
	}

	/**
	 * Changes state, name or end of a session, or several at once. A tag in the condition
	 * names the details as well.
	 */
	void patch(Slot slot, @Nullable Map<String, String> changes, @Nullable String name, @Nullable String ttl,
			Condition condition) {
		long number = this.recorder.next();
		List<Draft> drafts = new ArrayList<>();
		Map<String, String> fields = new LinkedHashMap<>();
		if (changes != null) {
			changes.put(Events.PATCHED, "\"p" + number + "\"");
			drafts.add(new Draft(Events.tokenOfPatch("p" + number), changes, ""));
			Map<String, String> set = new TreeMap<>(changes);
			set.values().removeIf(Kept.REMOVED::equals);
			boolean apart = number % 2 == 0 && set.size() < changes.size();
			fields.put("stateDelta", Draft.json(apart ? set : changes));
			if (apart) {
				fields.put("removeKeys",
						changes.keySet()
							.stream()
							.filter((key) -> !set.containsKey(key))
							.collect(Collectors.joining("\",\"", "[\"", "\"]")));
			}
		}
		if (name != null) {
			fields.put("displayName", "\"" + name + "\"");
			fields.put("labels", "{\"memory\":\"%s\"}".formatted(name.startsWith(Searches.HIDDEN) ? "off" : "on"));
		}
		if (ttl != null) {
			fields.put("ttl", ttl);
		}
		Append append = new Append(slot.user(), drafts, condition.withDetails(), name, (ttl != null) ? number : 0);
		this.sender.send("PATCH", this.world.session(slot) + query(condition), Draft.json(fields), headers(condition))
			.ifPresent((exchange) -> patched(slot, append, ttl, exchange));
	}

	private void patched(Slot slot, Append append, @Nullable String ttl, Exchange exchange) {
		boolean gone = exchange.status() == 404;
		if (gone) {
			// It may be done and then gone, because the answer is read afterwards
			this.recorder.session(slot, exchange,
					(kept) -> kept.isOf(slot.user()) ? append.stored(kept) : List.of(kept));
		}
		else {
			record(slot, append, exchange);
		}
		wrote(slot.user(), append.events(), exchange, !gone);
		if (ttl != null) {
			// If the service did not make the change, no session has this end
			Lives.recordEnd(this.recorder, slot, exchange, append.end(), ttl);
		}
		if (exchange.status() == 200) {
			Reads.record(this.recorder, slot, exchange, Integer.MAX_VALUE);
		}
	}

	/** Changes a key of shared state without a session; null removes. */
	void patchShared(String user, String prefix, int key, boolean remove) {
		String name = ((prefix.equals("app:")) ? "a-" : "u-") + key;
		String value = remove ? "null" : "\"v" + this.recorder.next() + "\"";
		this.sender.send("PATCH", this.world.state(user, prefix), Draft.json(Map.of(name, value)))
			.ifPresent((exchange) -> {
				this.recorder.wrote(user, Map.of(prefix + name, remove ? Kept.REMOVED : value), exchange, true);
				Reads.recordShared(this.recorder, user, prefix, exchange);
			});
	}

	private void record(Slot slot, Append append, Exchange exchange) {
		if (!exchange.isAnswered()) {
			this.recorder.session(slot, exchange, append::stored);
		}
		else if (exchange.status() == 200 && !exchange.isReplayed()) {
			boolean shown = exchange.orThrow().at("/revision").isNumber();
			this.recorder.session(slot, exchange, (kept) -> append.stored(kept, shown ? exchange.tag() : null,
					shown ? exchange.lastUpdateTime() : null));
		}
		else {
			this.recorder.read(slot, exchange, unchanged(append, exchange));
		}
	}

	/** Why nothing was stored. */
	private Function<Kept, List<Kept>> unchanged(Append append, Exchange exchange) {
		if (exchange.status() == 200) {
			return append::replayed;
		}
		return switch (exchange.code()) {
			case "SESSION_BUSY", "LEASE_LOST", "ABORTED" -> append::outOfTurn;
			case "EVENT_ID_CONFLICT" -> append::conflicting;
			case "STALE_SESSION" ->
				(kept) -> append.stale(kept, exchange.orThrow().at("/revision").longValue(), exchange.lastUpdateTime());
			default -> Lives.missing(this.recorder, append.owner(), exchange);
		};
	}

	/** What was refused was not written, and the last of several changes remains. */
	private void wrote(String user, List<Draft> drafts, Exchange exchange, boolean certain) {
		boolean refused = exchange.isAnswered() && exchange.status() != 200 && certain;
		Map<String, String> changes = new LinkedHashMap<>();
		drafts.forEach((draft) -> changes.putAll(draft.shared()));
		if (!refused) {
			this.recorder.wrote(user, changes, exchange, certain);
		}
	}

	static String query(Condition condition) {
		return (condition.lastUpdateTime() != null) ? "?lastUpdateTime=" + condition.lastUpdateTime() : "";
	}

	static String[] headers(Condition condition) {
		List<String> headers = new ArrayList<>();
		if (condition.tag() != null) {
			headers.addAll(List.of("If-Match", condition.tag().text()));
		}
		if (condition.lease() != null) {
			headers.addAll(List.of("Lease", condition.lease().toString()));
		}
		return headers.toArray(String[]::new);
	}

}
