package dev.agentsessions.search;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonObject.LenientFields;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.Secrets;
import dev.agentsessions.session.Timestamps;
import dev.agentsessions.session.event.EventFields;

/**
 * The text of one event or one fact.
 *
 * @param id names it among all events and facts of the user
 * @param origin the event; {@code null} for a fact
 * @param author who said it
 * @param timestamp the time that its sender gave it, in seconds, as it was sent
 * @param said its texts
 * @param metadata the metadata of a fact; {@code null} for none
 */
public record Turn(String id, @Nullable Origin origin, String author, JsonText timestamp, SaidText said,
		@Nullable JsonText metadata) {

	/** Returns the turn of an event. */
	public static Turn of(TurnId id, String sessionId, Event event) {
		JsonObject body = JsonObject.of(event.body());
		return new Turn(id.toString(), new Origin(sessionId, event.seq(), event.id()),
				Objects.requireNonNullElse(body.string(EventFields.AUTHOR), ""), body.required(EventFields.TIMESTAMP),
				SaidText.of(body), null);
	}

	Turn seen(Secrets secrets) {
		return (secrets == Secrets.WHOLE) ? this : new Turn(this.id, this.origin, secrets.of(this.author),
				this.timestamp, this.said.seen(secrets), secrets.ofNullable(this.metadata));
	}

	/** Returns the time that its sender gave it. */
	public Instant time() {
		return Timestamps.ofSeconds(this.timestamp.text());
	}

	/**
	 * The event in which something was said.
	 *
	 * @param sessionId the session
	 * @param seq the seq of the event
	 * @param eventId the id of the event
	 */
	public record Origin(String sessionId, long seq, String eventId) {

	}

	/**
	 * The id of a hit that is an event.
	 *
	 * @param sessionKey the key of its session, so no later session of the same name is
	 * meant
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

	/**
	 * The searched texts of an event: the texts of its content without thoughts, and the
	 * transcriptions of speech (Source: {@code Event} and {@code Content} of ADK Python
	 * 2.13).
	 *
	 * @param role the role of the content; {@code null} if there is none
	 * @param parts the texts, in their order
	 */
	public record SaidText(@Nullable String role, List<String> parts) {

		/** Reads the searched texts of the body of an event. */
		public static SaidText of(JsonObject event) {
			JsonObject content = LenientFields.object(event.get(EventFields.CONTENT));
			List<String> parts = new ArrayList<>();
			for (JsonText element : LenientFields.elements(content, EventFields.PARTS)) {
				JsonObject part = element.text().contains(EventFields.TEXT) ? LenientFields.object(element) : null;
				if (part != null && !JsonText.TRUE.equals(part.get(EventFields.THOUGHT))) {
					add(parts, part);
				}
			}
			add(parts, LenientFields.object(event.get("inputTranscription")));
			add(parts, LenientFields.object(event.get("outputTranscription")));
			return new SaidText((content != null) ? content.stringIfAny(EventFields.ROLE) : null, parts);
		}

		SaidText seen(Secrets secrets) {
			return new SaidText(secrets.ofNullable(this.role), this.parts.stream().map(secrets::of).toList());
		}

		/** Returns the texts, each on a line of its own. */
		public String text() {
			return String.join("\n", this.parts);
		}

		private static void add(List<String> texts, @Nullable JsonObject said) {
			String text = (said != null) ? said.stringIfAny(EventFields.TEXT) : null;
			if (text != null && !text.isBlank()) {
				texts.add(text);
			}
		}

	}

}
