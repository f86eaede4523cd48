package dev.agentsessions.web.part;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonEdits;
import dev.agentsessions.json.JsonSpan;
import dev.agentsessions.json.JsonStrings;
import dev.agentsessions.json.JsonText;

/**
 * Data that stands in a part of an event, found without copying it. Parts belong to their
 * sender, so names are found in both spellings, and a part that says two things at once
 * has no data. Source: Blob and FileData of google-genai 1.x, which differ in
 * {@code data} and {@code fileUri} only.
 *
 * @param part the place of the part in {@code content.parts}, from 0
 * @param blob the member of the part that has the data
 * @param data the member of the blob that is a string of Base64
 * @param file a member for a file that is null, {@code null} if there is none at all
 */
record InlineData(int part, JsonSpan.Member blob, JsonSpan.Member data, JsonSpan.@Nullable Member file) {

	private static final Set<String> CONTENT = Set.of("content");

	private static final Set<String> PARTS = Set.of("parts");

	private static final Set<String> BLOB = Set.of("inlineData", "inline_data");

	private static final Set<String> FILE = Set.of("fileData", "file_data");

	private static final Set<String> DATA = Set.of("data");

	private static final Set<String> TYPE = Set.of("mimeType", "mime_type");

	private static final Set<String> URI = Set.of("fileUri", "file_uri");

	/** Goes through the data in the parts of an event, in their order. */
	static void forEach(JsonText event, Consumer<InlineData> action) {
		JsonSpan.of(event)
			.only(CONTENT)
			.flatMap((content) -> content.value().only(PARTS))
			.map(JsonSpan.Member::value)
			.filter(JsonSpan::isArray)
			.ifPresent((parts) -> parts.forEachElement((part, place) -> of(part, place).ifPresent(action)));
	}

	/** The data in one part of an event; empty if the part is not there or has none. */
	static Optional<InlineData> of(JsonText event, int part) {
		List<InlineData> found = new ArrayList<>(1);
		forEach(event, (data) -> {
			if (data.part == part) {
				found.add(data);
			}
		});
		return found.stream().findFirst();
	}

	private static Optional<InlineData> of(JsonSpan part, int place) {
		JsonSpan.Member blob = part.only(BLOB).orElse(null);
		JsonSpan.Member data = (blob != null) ? blob.value().only(DATA).orElse(null) : null;
		if (blob == null || data == null || !data.value().isString() || blob.value().has(URI)) {
			return Optional.empty();
		}
		JsonSpan.Member file = part.only(FILE).orElse(null);
		boolean contradicts = (file != null) ? !file.value().isNull() : part.has(FILE);
		return contradicts ? Optional.empty() : Optional.of(new InlineData(place, blob, data, file));
	}

	/** How many characters the data has, as it is written in the event. */
	int size() {
		return this.data.value().length() - 2;
	}

	/** What the sender calls its type; {@code null} if nothing that is a string. */
	@Nullable String mimeType() {
		return this.blob.value()
			.only(TYPE)
			.map(JsonSpan.Member::value)
			.filter(JsonSpan::isString)
			.map((type) -> type.toJson().stringOrText())
			.orElse(null);
	}

	/**
	 * Makes a file of it. The names change and the data is replaced by the address; its
	 * type, its name and whatever else stands there stay as they are.
	 */
	void replaceByFile(String uri, JsonEdits event) {
		boolean snakeCase = this.blob.name().toJson().stringOrText().indexOf('_') >= 0;
		event.replace(this.blob.name(), snakeCase ? "\"file_data\"" : "\"fileData\"");
		event.replace(this.data, snakeCase ? "\"file_uri\"" : "\"fileUri\"", JsonStrings.quote(uri));
		if (this.file != null) {
			event.replace(this.file.name(), this.blob.name().toJson().text());
		}
	}

}
