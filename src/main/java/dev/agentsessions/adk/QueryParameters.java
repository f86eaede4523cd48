package dev.agentsessions.adk;

import java.util.Set;

/** The names of the query parameters of this dialect. */
final class QueryParameters {

	/** Those of any route. */
	static final Set<String> NAMES = Set.of("afterSeq", "afterTimestamp", "author", "bodyStyle", "displayName",
			"includeEval", "includeState", "invocationId", "label", "lastUpdateTime", "limit", "numRecentEvents",
			"order", "pageToken");

	/** Fields of bodies, which are easily taken for parameters. */
	static final Set<String> FIELDS = Set.of("sessionId", "state", "stateDelta", "removeKeys", "events", "ttl",
			"expireTime", "displayName", "labels", "template");

	private QueryParameters() {
	}

}
