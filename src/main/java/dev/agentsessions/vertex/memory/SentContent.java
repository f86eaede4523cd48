package dev.agentsessions.vertex.memory;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonStrings;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.search.SaidText;
import dev.agentsessions.search.fact.FactBody;
import dev.agentsessions.vertex.event.WireTime;

/**
 * The texts of an event that a client sends to be remembered.
 *
 * @param text its text
 * @param body the fact to store
 */
record SentContent(String text, FactBody body) {

	/** Leaves room for the author, the time and small metadata. */
	private static final int MAX_BYTES = FactBody.MAX_BYTES - 4096;

	/** The size of a part without its text, in bytes of JSON. */
	private static final int PART_BYTES = 12;

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

	/**
	 * Returns the texts without images and other parts that say nothing. A text that is
	 * too large for a fact is cut: one long message must not keep the others from being
	 * stored.
	 */
	private static JsonText content(SaidText said) {
		List<String> texts = new ArrayList<>();
		int left = MAX_BYTES;
		for (String part : said.parts()) {
			String text = beginning(part, left - PART_BYTES);
			if (text.isEmpty()) {
				break;
			}
			texts.add("{\"text\":" + JsonStrings.quote(text) + "}");
			left -= PART_BYTES + bytes(text);
		}
		String parts = String.join(",", texts);
		String role = (said.role() != null) ? "\"role\":" + JsonStrings.quote(said.role()) + "," : "";
		return new JsonText("{" + role + "\"parts\":[" + parts + "]}");
	}

	/**
	 * Returns the longest beginning of a text that fits into a number of bytes of JSON.
	 */
	private static String beginning(String text, int maxBytes) {
		if (bytes(text) <= maxBytes) {
			return text;
		}
		int end = 0;
		int left = maxBytes;
		while (end < text.length()) {
			int next = text.offsetByCodePoints(end, 1);
			left -= bytes(text.substring(end, next));
			if (left < 0) {
				break;
			}
			end = next;
		}
		return text.substring(0, end);
	}

	/** Returns the size of a text in JSON, in bytes without its quotes. */
	private static int bytes(String text) {
		return new JsonText(JsonStrings.quote(text)).bytes() - 2;
	}

}
