package dev.agentsessions.console.usage;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.console.view.LenientFields;
import dev.agentsessions.json.JsonObject;

/**
 * The tokens that a model has counted.
 *
 * @param counts the number of tokens by kind
 * @param total the total, 0 if the event has none
 */
public record TokenUsage(Map<String, Long> counts, long total) {

	static final TokenUsage NONE = new TokenUsage(Map.of(), 0);

	/** Reads {@code usageMetadata}; {@code null} has no counts. */
	public static TokenUsage of(@Nullable JsonObject usage) {
		Map<String, Long> counts = new LinkedHashMap<>();
		add(counts, "in", LenientFields.count(usage, "promptTokenCount", "prompt_token_count"));
		add(counts, "cached", LenientFields.count(usage, "cachedContentTokenCount", "cached_content_token_count"));
		add(counts, "thoughts", LenientFields.count(usage, "thoughtsTokenCount", "thoughts_token_count"));
		add(counts, "out", LenientFields.count(usage, "candidatesTokenCount", "candidates_token_count"));
		Long total = LenientFields.count(usage, "totalTokenCount", "total_token_count");
		add(counts, "total", total);
		return new TokenUsage(counts, (total != null) ? total : 0);
	}

	/** Returns the total of several events. */
	public static TokenUsage sum(List<TokenUsage> all) {
		return new TokenUsage(Map.of(), all.stream().mapToLong(TokenUsage::total).sum());
	}

	/** Returns all counts in one line; blank if there are none. */
	public String line() {
		return this.counts.entrySet()
			.stream()
			.map((count) -> count.getKey() + " " + count.getValue())
			.collect(Collectors.joining(", "));
	}

	private static void add(Map<String, Long> counts, String name, @Nullable Long count) {
		if (count != null) {
			counts.put(name, count);
		}
	}

}
