package dev.agentsessions.linearizability;

import java.math.BigDecimal;

import org.jspecify.annotations.Nullable;

/**
 * An entity tag of a session, which says which session of its id it was, and which of its
 * moments.
 *
 * @param text as it came
 * @param revision the number of its events
 * @param key what tells it from other sessions of its id; {@code null} if nothing does
 * @param time when its newest event was stored, in decimal seconds; {@code null} if
 * nothing says it
 * @param details identifies its details, 0 if they were never changed
 */
record Tag(String text, long revision, @Nullable String sessionKey, @Nullable String time, int details) {

	/** Reads what came in a header, and {@code "41"} or {@code "41.dgz1b"} as well. */
	static Tag of(String text) {
		String[] parts = text.replace("\"", "").split("\\.");
		return new Tag(text, Long.parseLong(parts[0]), (parts.length > 1) ? parts[1] : null,
				(parts.length > 2) ? new BigDecimal(parts[2]).movePointLeft(6).toPlainString() : null,
				(parts.length > 3) ? Integer.parseInt(parts[3]) : 0);
	}

	/** The tag that names only a revision. */
	static Tag ofRevision(long revision) {
		return of("\"" + revision + "\"");
	}

}
