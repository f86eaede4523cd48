package dev.agentsessions.linearizability;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

import tools.jackson.databind.JsonNode;

/**
 * A session as an export shows it.
 *
 * @param body what imports it, alone
 * @param restored what the import makes of it
 */
record Exported(String body, Kept restored) {

	private static final int MICROS = 6;

	/** Reads the lines of one session. */
	static Exported of(String user, List<JsonNode> lines, Recorder recorder) {
		JsonNode session = lines.get(0);
		Map<String, String> initial = new TreeMap<>();
		Map<String, String> state = new TreeMap<>();
		List<Draft> events = new ArrayList<>();
		for (JsonNode line : lines) {
			switch (line.path("kind").asString()) {
				case "initialState" -> initial.putAll(values(line.path("state")));
				case "state" -> state.putAll(values(line.path("state")));
				case "event" -> events
					.add(new Draft(Events.token(line.path("event")), values(line.at("/event/actions/stateDelta")), ""));
				default -> {
					// The other lines are of no session, or say nothing more of it
				}
			}
		}
		Kept restored = Kept
			.restored(user, initial, events, session.path("displayName").asString(""),
					session.path("detailsRevision").asInt(0))
			.learn(null, seconds(session.path("lastUpdateTime").asString()))
			.get(0);
		if (!restored.state().equals(state)) {
			recorder.fault("The state of an export is not what its events make: " + lines);
		}
		return new Exported(body(user, lines), restored);
	}

	/** Whether this may be what is kept. */
	List<Kept> seen(Kept kept) {
		boolean same = kept.isOf(this.restored.owner()) && kept.events().equals(this.restored.events())
				&& kept.states().equalNewest(this.restored.states())
				&& kept.displayName().equals(this.restored.displayName());
		return same ? kept.learn(null, this.restored.clock().time().toPlainString()) : List.of();
	}

	/**
	 * Answered as there already: with the same number of events, the last of them the
	 * same.
	 */
	List<Kept> same(Kept kept) {
		boolean same = kept.isOf(this.restored.owner()) && kept.revision() == this.restored.revision()
				&& kept.events().newest().equals(this.restored.events().newest());
		return same ? List.of(kept) : List.of();
	}

	private static String body(String user, List<JsonNode> lines) {
		String head = "{\"kind\":\"export\",\"version\":1,\"userId\":\"%1$s\"}\n{\"kind\":\"user\",\"userId\":\"%1$s\"}\n"
			.formatted(user);
		return lines.stream().map(JsonNode::toString).collect(Collectors.joining("\n", head, "\n{\"kind\":\"end\"}"));
	}

	private static Map<String, String> values(JsonNode state) {
		Map<String, String> values = new LinkedHashMap<>();
		state.propertyStream().forEach((member) -> values.put(member.getKey(), member.getValue().toString()));
		return values;
	}

	private static String seconds(String time) {
		Instant instant = Instant.parse(time);
		return BigDecimal.valueOf(instant.getEpochSecond())
			.add(BigDecimal.valueOf(instant.getNano() / 1000, MICROS))
			.toPlainString();
	}

}
