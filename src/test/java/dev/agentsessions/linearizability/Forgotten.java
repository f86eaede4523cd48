package dev.agentsessions.linearizability;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** What clients have asked the service to forget. */
final class Forgotten {

	private final Map<String, Set<String>> tokens = new ConcurrentHashMap<>();

	private final Map<String, Long> hits = new ConcurrentHashMap<>();

	/** A client is about to ask for an event of a user to be forgotten. */
	void begin(String user, String token) {
		maybe(user).add(token);
	}

	/** A hit was forgotten by then. */
	void end(String hit, long until) {
		this.hits.putIfAbsent(hit, until);
	}

	/** The tokens of events that may be forgotten, also in forks and imports. */
	Set<String> maybe(String user) {
		return this.tokens.computeIfAbsent(user, (unknown) -> ConcurrentHashMap.newKeySet());
	}

	/** Since when a hit is forgotten for sure, {@link Operation#NEVER} if it is not. */
	long since(String hit) {
		return this.hits.getOrDefault(hit, Operation.NEVER);
	}

}
