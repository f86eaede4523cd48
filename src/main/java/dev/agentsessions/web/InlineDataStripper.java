package dev.agentsessions.web;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;
import org.springframework.web.util.UriUtils;

import dev.agentsessions.json.FieldNames;
import dev.agentsessions.json.JsonSpan;
import dev.agentsessions.json.JsonSpan.JsonEdits;
import dev.agentsessions.json.JsonStrings;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.event.EventFields;

/**
 * Replaces large data in events by its URI. Everything else in an event stays as it was
 * sent.
 */
public final class InlineDataStripper implements UnaryOperator<Event> {

	/** Data with up to this number of Base64 characters stays in the event. */
	static final int MAX_INLINE_CHARS = 1024;

	private final String session;

	/**
	 * Creates a mapper for the events of a session.
	 * @param session the path of the session, with its names encoded; the paths of the
	 * data begin with it
	 */
	public InlineDataStripper(String session) {
		this.session = session;
	}

	@Override
	public Event apply(Event event) {
		if (event.body().length() <= MAX_INLINE_CHARS) {
			return event;
		}
		JsonEdits edits = new JsonEdits(event.body());
		InlineData.forEach(event.body(), (data) -> {
			if (data.size() > MAX_INLINE_CHARS) {
				data.replaceByFile(uri(event.id(), data.part()), edits);
			}
		});
		return edits.isEmpty() ? event : new Event(event.seq(), event.commitTime(), event.id(), edits.result());
	}

	private String uri(String eventId, int part) {
		return address(this.session + "/events/" + UriUtils.encode(eventId, StandardCharsets.UTF_8), part);
	}

	/**
	 * Returns the path of the data of a part.
	 * @param event the path of its event
	 * @param part the index of the part, from 0
	 */
	public static String address(String event, int part) {
		return event + "/parts/" + part;
	}

	/**
	 * Inline data in a part of an event, located without a copy. Parts belong to their
	 * sender, so names are accepted in both spellings, and a part with contradictory
	 * members has no data. Source: Blob and FileData of google-genai 1.x, which differ in
	 * {@code data} and {@code fileUri} only.
	 *
	 * @param part the index of the part in {@code content.parts}, from 0
	 * @param blob the member of the part with the data
	 * @param data the member of the blob with the Base64 string
	 * @param file the member for a file if its value is null, {@code null} if there is no
	 * such member
	 */
	record InlineData(int part, JsonSpan.Member blob, JsonSpan.Member data, JsonSpan.@Nullable Member file) {

		private static final Set<String> CONTENT = FieldNames.spellings(EventFields.CONTENT);

		private static final Set<String> PARTS = FieldNames.spellings(EventFields.PARTS);

		private static final Set<String> BLOB = FieldNames.spellings(EventFields.INLINE_DATA);

		private static final Set<String> FILE = FieldNames.spellings(EventFields.FILE_DATA);

		private static final Set<String> DATA = FieldNames.spellings(EventFields.DATA);

		private static final Set<String> TYPE = FieldNames.spellings(EventFields.MIME_TYPE);

		private static final Set<String> URI = FieldNames.spellings(EventFields.FILE_URI);

		/**
		 * Passes the data in the parts of an event to an action, in the order of the
		 * parts.
		 */
		static void forEach(JsonText event, Consumer<InlineData> action) {
			JsonSpan.of(event)
				.only(CONTENT)
				.flatMap((content) -> content.value().only(PARTS))
				.map(JsonSpan.Member::value)
				.filter(JsonSpan::isArray)
				.ifPresent((parts) -> parts.forEachElement((part, index) -> of(part, index).ifPresent(action)));
		}

		/**
		 * Returns the data in one part of an event; empty if the part does not exist or
		 * has no data.
		 */
		static Optional<InlineData> of(JsonText event, int part) {
			List<InlineData> found = new ArrayList<>(1);
			forEach(event, (data) -> {
				if (data.part == part) {
					found.add(data);
				}
			});
			return found.stream().findFirst();
		}

		private static Optional<InlineData> of(JsonSpan part, int index) {
			JsonSpan.Member blob = part.only(BLOB).orElse(null);
			JsonSpan.Member data = (blob != null) ? blob.value().only(DATA).orElse(null) : null;
			if (blob == null || data == null || !data.value().isString() || blob.value().has(URI)) {
				return Optional.empty();
			}
			JsonSpan.Member file = part.only(FILE).orElse(null);
			boolean contradicts = (file != null) ? !file.value().isNull() : part.has(FILE);
			return contradicts ? Optional.empty() : Optional.of(new InlineData(index, blob, data, file));
		}

		/**
		 * Returns the number of characters of the data, as it is written in the event.
		 */
		int size() {
			return this.data.value().length() - 2;
		}

		/**
		 * Returns the type that the sender has given; {@code null} if it is absent or not
		 * a string.
		 */
		@Nullable String mimeType() {
			return this.blob.value()
				.only(TYPE)
				.map(JsonSpan.Member::value)
				.filter(JsonSpan::isString)
				.map((type) -> type.toJson().stringOrText())
				.orElse(null);
		}

		/**
		 * Replaces the data by a reference to a file. The members get other names and the
		 * data is replaced by the URI. The type, the name and all other members stay
		 * unchanged.
		 * @param uri the URI of the data
		 * @param event receives the edits
		 */
		void replaceByFile(String uri, JsonEdits event) {
			boolean snakeCase = this.blob.name().toJson().stringOrText().indexOf('_') >= 0;
			UnaryOperator<String> spelling = snakeCase ? FieldNames::toSnakeCase : UnaryOperator.identity();
			event.replace(this.blob.name(), JsonStrings.quote(spelling.apply(EventFields.FILE_DATA)));
			event.replace(this.data, JsonStrings.quote(spelling.apply(EventFields.FILE_URI)), JsonStrings.quote(uri));
			if (this.file != null) {
				event.replace(this.file.name(), this.blob.name().toJson().text());
			}
		}

	}

}
