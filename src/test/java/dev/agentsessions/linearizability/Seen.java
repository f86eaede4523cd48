package dev.agentsessions.linearizability;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A session as an answer shows it.
 *
 * @param owner its user
 * @param tag its entity tag, {@code null} if the answer has none
 * @param lastUpdateTime its last update time, {@code null} if the answer has none
 * @param state its own state, {@code null} if the answer has none
 * @param events whether a history can have been the one that was shown
 * @param displayName its name, {@code null} if the answer does not tell
 */
record Seen(@Nullable String owner, @Nullable Tag tag, @Nullable String lastUpdateTime,
		@Nullable Map<String, String> state, Predicate<Chain> events, @Nullable String displayName) {

	/** Of a session with its whole history, or its newest events. */
	static Seen of(JsonNode session, @Nullable Tag tag, int newest) {
		List<String> tokens = tokens(session.path("events"));
		Chain all = Chain.of(tokens);
		return new Seen(session.path("userId").asString(), tag, session.path("lastUpdateTime").asString(),
				own(session.path("state")),
				(chain) -> (newest == Integer.MAX_VALUE) ? chain.equals(all)
						: chain.after(Math.max(0, chain.length() - newest)).equals(tokens),
				session.path("displayName").asString(""));
	}

	/** Of a session in a list. */
	static Seen ofList(JsonNode session) {
		return new Seen(session.path("userId").asString(), null, session.path("lastUpdateTime").asString(),
				own(session.path("state")), (chain) -> true, session.path("displayName").asString(""));
	}

	/** Of a session in the dialect of Vertex AI. */
	static Seen ofVertex(JsonNode session) {
		return new Seen(session.path("userId").asString(), null, null, own(session.path("sessionState")),
				(chain) -> true, session.path("displayName").asString(""));
	}

	/** The same with another look at the history. */
	Seen with(Predicate<Chain> other) {
		return new Seen(this.owner, this.tag, this.lastUpdateTime, this.state, other, this.displayName);
	}

	/** Of events only. */
	static Seen ofEvents(@Nullable String owner, Predicate<Chain> events) {
		return new Seen(owner, null, null, null, events, null);
	}

	/** Whether this can be seen of what is kept, and what it tells. */
	List<Kept> of(Kept kept) {
		boolean same = kept.isOf(this.owner) && (this.state == null || this.state.equals(kept.state()))
				&& this.events.test(kept.events())
				&& (this.displayName == null || this.displayName.equals(kept.displayName()));
		return same ? kept.learn(this.tag, this.lastUpdateTime) : List.of();
	}

	static List<String> tokens(JsonNode events) {
		return events.valueStream().map(Events::token).toList();
	}

	private static Map<String, String> own(JsonNode state) {
		Map<String, String> own = new TreeMap<>();
		state.propertyStream()
			.filter((member) -> !member.getKey().contains(":"))
			.forEach((member) -> own.put(member.getKey(), member.getValue().toString()));
		return own;
	}

}
