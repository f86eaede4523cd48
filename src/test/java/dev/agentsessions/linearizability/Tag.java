package dev.agentsessions.linearizability;

import org.jspecify.annotations.Nullable;

/**
 * An entity tag of a session, which says which session of its id it was, and which of its
 * moments.
 *
 * @param text as it came
 * @param revision the number of its events
 * @param birth what tells it from other sessions of its id; {@code null} if nothing does
 * @param changes how often its details were changed
 */
record Tag(String text, long revision, @Nullable String birth, int changes) {

	/** Reads what came in a header, and {@code "41"} or {@code "41.dgz1b"} as well. */
	static Tag of(String text) {
		String[] parts = text.replace("\"", "").split("\\.");
		return new Tag(text, Long.parseLong(parts[0]), (parts.length > 1) ? parts[1] : null,
				(parts.length > 2) ? Integer.parseInt(parts[2]) : 0);
	}

	/** The tag that names only a revision. */
	static Tag ofRevision(long revision) {
		return of("\"" + revision + "\"");
	}

}
