package dev.agentsessions.search;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonException.InvalidShape;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.search.Turn.SaidText;
import dev.agentsessions.session.Identifiers;
import dev.agentsessions.session.Secrets;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionException.InvalidArgument;
import dev.agentsessions.session.Timestamps;
import dev.agentsessions.session.event.EventFields;

/**
 * A stored fact.
 *
 * @param id its id, unique among the facts of its user
 * @param body the text, with author, time and metadata
 * @param createTime when it was created, by the clock of the database
 * @param updateTime when it was last changed, by the clock of the database
 * @param expireTime from then on it does not exist; {@code null} for never
 */
public record Fact(String id, FactBody body, Instant createTime, Instant updateTime, @Nullable Instant expireTime) {

	/** Returns the time that the client gave, or else the time of creation. */
	public Instant time() {
		return Objects.requireNonNullElse(this.body.time(), this.createTime);
	}

	Fact seen(Secrets secrets) {
		return new Fact(this.id, this.body.seen(secrets), this.createTime, this.updateTime, this.expireTime);
	}

	/** Returns the fact as a hit of a search. */
	public Turn toTurn() {
		JsonText seconds = new JsonText(Timestamps.toSeconds(time()).toPlainString());
		return new Turn(this.id, null, Objects.requireNonNullElse(this.body.author(), ""), seconds, this.body.said(),
				this.body.metadata());
	}

	/**
	 * The body of a fact: its content, and optionally its author, its time and metadata.
	 * The fields are those of {@code MemoryEntry} of ADK Python 2.13, and three more of
	 * {@code Memory} of the Vertex AI API.
	 *
	 * @param fields the fields by name, as they were sent; the time in decimal seconds
	 */
	public record FactBody(JsonObject fields) {

		/** Maximum size of a fact, in bytes of its JSON in UTF-8. */
		public static final int MAX_BYTES = 32_768;

		private static final String CONTENT = EventFields.CONTENT;

		private static final String TEXT = EventFields.TEXT;

		private static final String AUTHOR = EventFields.AUTHOR;

		private static final String TIMESTAMP = EventFields.TIMESTAMP;

		private static final String METADATA = "metadata";

		private static final String DISPLAY_NAME = "displayName";

		private static final String DESCRIPTION = "description";

		private static final String TOPICS = "topics";

		private static final List<String> NAMES = List.of(CONTENT, AUTHOR, TIMESTAMP, METADATA, DISPLAY_NAME,
				DESCRIPTION, TOPICS);

		/**
		 * Reads the body of a new fact.
		 * @param sent the fields that the client sends; {@code text} is the short form of
		 * a content with one text
		 * @throws JsonException.InvalidShape if a field has the wrong type
		 * @throws SessionException.InvalidArgument if it has no text, or is too large
		 */
		public static FactBody of(JsonObject sent) {
			return new FactBody(checked(merged(JsonObject.EMPTY, sent)));
		}

		/**
		 * Returns this body with the fields that a client sends; JSON null removes one.
		 */
		public FactBody with(JsonObject sent) {
			return new FactBody(checked(merged(this.fields, sent)));
		}

		private static JsonObject merged(JsonObject old, JsonObject sent) {
			InvalidShape.check(sent.get(TEXT) == null || sent.get(CONTENT) == null, TEXT,
					"cannot be used together with " + CONTENT);
			Map<String, JsonText> fields = new LinkedHashMap<>();
			for (String name : NAMES) {
				boolean isSent = sent.members().containsKey(name)
						|| name.equals(CONTENT) && sent.members().containsKey(TEXT);
				JsonText value = isSent ? value(name, sent) : old.get(name);
				if (value != null) {
					fields.put(name, value);
				}
			}
			return new JsonObject("", fields);
		}

		private static @Nullable JsonText value(String name, JsonObject sent) {
			JsonText value = sent.get(name);
			if (name.equals(TIMESTAMP) && value != null) {
				return new JsonText(
						Timestamps.toSeconds(Timestamps.parse(TIMESTAMP, value.stringOrText())).toPlainString());
			}
			String text = sent.string(TEXT);
			if (name.equals(CONTENT) && text != null) {
				return EventFields.said(null, List.of(text));
			}
			return value;
		}

		private static JsonObject checked(JsonObject fields) {
			checkContent(fields);
			fields.object(METADATA);
			fields.string(DISPLAY_NAME);
			fields.string(DESCRIPTION);
			fields.objects(TOPICS);
			String author = fields.string(AUTHOR);
			if (author != null) {
				Identifiers.checkText(AUTHOR, author);
			}
			InvalidArgument.check(fields.toJson().bytes() <= MAX_BYTES, CONTENT,
					"and the other fields must have at most " + MAX_BYTES + " bytes together");
			return fields;
		}

		private static void checkContent(JsonObject fields) {
			JsonObject content = fields.requiredObject(CONTENT);
			content.string(EventFields.ROLE);
			content.objects(EventFields.PARTS).forEach((part) -> part.string(TEXT));
			InvalidArgument.check(!SaidText.of(fields).parts().isEmpty(), CONTENT, "must have a part with a text");
		}

		FactBody seen(Secrets secrets) {
			return (secrets == Secrets.WHOLE) ? this : new FactBody(JsonObject.of(secrets.of(this.fields.toJson())));
		}

		/** Returns whether both say the same, however their JSON is written. */
		public boolean meansSameAs(FactBody other) {
			return this.fields.toJson().meansSameAs(other.fields.toJson());
		}

		/** Returns the texts. */
		public SaidText said() {
			return SaidText.of(this.fields);
		}

		/** Returns the content as it was sent. */
		public JsonText content() {
			return this.fields.required(CONTENT);
		}

		/** Returns the author; {@code null} if the client has named none. */
		public @Nullable String author() {
			return this.fields.string(AUTHOR);
		}

		/** Returns the time that the client gave; {@code null} for none. */
		public @Nullable Instant time() {
			JsonText time = this.fields.get(TIMESTAMP);
			return (time != null) ? Timestamps.ofSeconds(time.text()) : null;
		}

		/** Returns the metadata; {@code null} for none. */
		public @Nullable JsonText metadata() {
			return this.fields.get(METADATA);
		}

	}

}
