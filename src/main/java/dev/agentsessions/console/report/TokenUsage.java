package dev.agentsessions.console.report;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.report.Usage.Tokens;
import dev.agentsessions.session.report.UsageMetadata;

/**
 * The tokens of an event or of a turn, as a page shows them.
 *
 * @param tokens the tokens
 */
public record TokenUsage(Tokens tokens) {

	/** Reads {@code usageMetadata}; {@code null} has no counts. */
	public static TokenUsage of(@Nullable JsonText usage) {
		return new TokenUsage(UsageMetadata.of(usage).tokens());
	}

	/** Returns the total of several events. */
	public static TokenUsage sum(List<TokenUsage> all) {
		return new TokenUsage(all.stream().map(TokenUsage::tokens).reduce(Tokens.NONE, Tokens::plus));
	}

	public long total() {
		return this.tokens.total();
	}

	/** Returns all counts in one line; blank if there are none. */
	public String line() {
		List<String> counts = new ArrayList<>();
		add(counts, "in", this.tokens.prompt());
		add(counts, "cached", this.tokens.cached());
		add(counts, "tools", this.tokens.toolUse());
		add(counts, "thoughts", this.tokens.thoughts());
		add(counts, "out", this.tokens.output());
		add(counts, "total", this.tokens.total());
		return String.join(", ", counts);
	}

	private static void add(List<String> counts, String name, long count) {
		if (count > 0) {
			counts.add(name + " " + count);
		}
	}

}
