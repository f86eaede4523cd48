package dev.agentsessions.search;

import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The id of a hit that is an event.
 *
 * @param sessionKey the key of its session, so no later session of the same name is meant
 * @param seq its seq
 */
public record TurnId(UUID sessionKey, long seq) {

	private static final Pattern FORM = Pattern
		.compile("event-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-(\\d{1,18})");

	/** Reads the id of a hit; empty if a text is none. */
	public static Optional<TurnId> parse(String text) {
		Matcher id = FORM.matcher(text);
		return id.matches() ? Optional.of(new TurnId(UUID.fromString(id.group(1)), Long.parseLong(id.group(2))))
				: Optional.empty();
	}

	@Override
	public String toString() {
		return "event-" + this.sessionKey + "-" + this.seq;
	}

}
