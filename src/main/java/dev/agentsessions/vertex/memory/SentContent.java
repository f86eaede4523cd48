package dev.agentsessions.vertex.memory;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonStrings;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.search.SaidText;
import dev.agentsessions.search.fact.FactBody;
import dev.agentsessions.vertex.event.WireTime;

/**
 * What an event says that a client sends to be remembered.
 *
 * @param text its text
 * @param body the fact to store
 */
record SentContent(String text, FactBody body) {

	/** Reads an event; empty if it says nothing, as a function call. */
	static Optional<SentContent> of(JsonObject event, @Nullable JsonText metadata) {
		JsonObject fields = event.renamed(MemoryNames.ITEM);
		fields.requiredObject("content");
		SaidText said = SaidText.of(fields);
		if (said.parts().isEmpty()) {
			return Optional.empty();
		}
		Map<String, JsonText> body = new LinkedHashMap<>();
		body.put("content", content(said));
		if (said.role() != null && !said.role().isBlank()) {
			body.put("author", JsonStrings.of(said.role()));
		}
		if (fields.get("eventTime") != null) {
			body.put("timestamp", JsonStrings.of(WireTime.read(fields, "eventTime").toString()));
		}
		if (metadata != null) {
			body.put("metadata", metadata);
		}
		return Optional.of(new SentContent(said.text(), FactBody.of(new JsonObject("", body))));
	}

	/** Without images and other parts that say nothing. */
	private static JsonText content(SaidText said) {
		String parts = said.parts()
			.stream()
			.map((part) -> "{\"text\":" + JsonStrings.quote(part) + "}")
			.collect(Collectors.joining(",", "[", "]"));
		String role = (said.role() != null) ? "\"role\":" + JsonStrings.quote(said.role()) + "," : "";
		return new JsonText("{" + role + "\"parts\":" + parts + "}");
	}

}
