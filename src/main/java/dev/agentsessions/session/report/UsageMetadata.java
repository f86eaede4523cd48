package dev.agentsessions.session.report;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonException;
import dev.agentsessions.json.JsonNumbers;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonObject.LenientFields;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.report.Usage.Tokens;

/**
 * The field {@code usageMetadata} of an event. Its sender may write anything there, so a
 * value that is no possible count is left out.
 *
 * @param tokens the tokens
 * @param valid whether all counts were possible
 */
public record UsageMetadata(Tokens tokens, boolean valid) {

	/**
	 * The greatest count of one event. So the sum of all events of a request is exact in
	 * clients that know only floating-point numbers.
	 */
	public static final long MAX_COUNT = 1_000_000_000;

	private static final UsageMetadata INVALID = new UsageMetadata(Tokens.NONE, false);

	/** Reads the field; {@code null} is no count. */
	public static UsageMetadata of(@Nullable JsonText usage) {
		if (usage == null) {
			return new UsageMetadata(Tokens.NONE, true);
		}
		try {
			return usage.isObject() ? new Reader(JsonObject.of(usage)).read() : INVALID;
		}
		catch (JsonException ex) {
			return INVALID;
		}
	}

	/** Reads the counts of one object. */
	private static final class Reader {

		private final JsonObject usage;

		private boolean valid = true;

		Reader(JsonObject usage) {
			this.usage = usage;
		}

		UsageMetadata read() {
			long prompt = count("promptTokenCount");
			long cached = count("cachedContentTokenCount");
			long cacheWritten = count("cacheCreationTokenCount");
			cacheWritten += count("cacheCreationInputTokens");
			long toolUse = count("toolUsePromptTokenCount");
			long thoughts = count("thoughtsTokenCount");
			long output = count("candidatesTokenCount");
			long total = count("totalTokenCount");
			return new UsageMetadata(new Tokens(prompt, cached, cacheWritten, toolUse, thoughts, output,
					(total > 0) ? total : prompt + toolUse + thoughts + output), this.valid);
		}

		private long count(String name) {
			JsonText value = LenientFields.get(this.usage, name);
			if (value == null) {
				return 0;
			}
			Long count = JsonNumbers.whole(value.text());
			if (count == null || count < 0 || count > MAX_COUNT) {
				this.valid = false;
				return 0;
			}
			return count;
		}

	}

}
