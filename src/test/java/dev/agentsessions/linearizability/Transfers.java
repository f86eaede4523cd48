package dev.agentsessions.linearizability;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import tools.jackson.databind.JsonNode;

import dev.agentsessions.support.Json;

/** Exports sessions, and imports them again when they are gone or have changed. */
final class Transfers {

	private final World world;

	private final Recorder recorder;

	private final Sender sender;

	Transfers(World world, Sender sender) {
		this.world = world;
		this.recorder = world.recorder();
		this.sender = sender;
	}

	/** Exports all sessions of a user, and keeps those that do not end by themselves. */
	void export(String user) {
		this.sender.send("GET", this.world.user(user) + ":export", null)
			.filter((exchange) -> exchange.status() == 200)
			.ifPresent((exchange) -> {
				Map<String, List<JsonNode>> lines = linesOfSessions(exchange.orThrow().body());
				this.world.allSlots()
					.stream()
					.filter((slot) -> slot.users().contains(user))
					.forEach((slot) -> exported(slot, user, lines.get(slot.id()), exchange));
			});
	}

	private void exported(Slot slot, String user, List<JsonNode> lines, Exchange exchange) {
		if (lines == null) {
			this.recorder.read(slot, exchange, Lives.missing(user));
			return;
		}
		if (!lines.get(lines.size() - 1).path("deleted").asBoolean(false)) {
			Exported exported = Exported.of(user, lines, this.recorder);
			this.recorder.read(slot, exchange, exported::seen);
			if (slot.kind() == Slot.Kind.LASTING || slot.kind() == Slot.Kind.LONG) {
				slot.keep(exported);
			}
		}
	}

	/** An export that was broken off tells nothing. */
	private static Map<String, List<JsonNode>> linesOfSessions(String body) {
		Map<String, List<JsonNode>> sessions = new LinkedHashMap<>();
		List<JsonNode> lines = new ArrayList<>();
		for (String text : body.split("\n")) {
			JsonNode line = Json.read(text);
			String kind = line.path("kind").asString();
			if (kind.equals("session")) {
				lines = new ArrayList<>();
			}
			lines.add(line);
			if (kind.equals("sessionEnd")) {
				sessions.put(lines.get(0).path("sessionId").asString(), lines);
				lines = new ArrayList<>();
			}
		}
		return sessions;
	}

	/** Imports what was exported last, if anything was. */
	void restore(Slot slot) {
		Exported exported = slot.exported();
		if (exported != null) {
			this.sender
				.sendAs("application/x-ndjson", "POST", this.world.user(exported.restored().owner()) + ":import",
						exported.body())
				.ifPresent((exchange) -> restored(slot, exported, exchange));
		}
	}

	private void restored(Slot slot, Exported exported, Exchange exchange) {
		Function<Kept, List<Kept>> created = (kept) -> kept.isGone() ? List.of(exported.restored()) : List.of();
		if (!exchange.isAnswered()) {
			this.recorder.session(slot, exchange, created);
		}
		else if (counts(exchange, "created")) {
			this.recorder.session(slot, exchange, created);
		}
		else if (counts(exchange, "unchanged")) {
			this.recorder.read(slot, exchange, exported::same);
		}
		else if (!counts(exchange, "conflicts")) {
			this.recorder.fault("Not imported: " + exchange.text());
		}
		else if (!this.recorder.mayHaveErased(exported.restored().owner(), exchange.from())) {
			this.recorder.read(slot, exchange, (kept) -> kept.isGone() ? List.of() : List.of(kept));
		}
	}

	private static boolean counts(Exchange exchange, String what) {
		return exchange.status() == 200 && exchange.orThrow().at("/" + what).asInt() == 1;
	}

}
