package dev.agentsessions.console.report;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.console.view.DurationFormat;
import dev.agentsessions.console.view.TruncatedText;
import dev.agentsessions.session.report.Tokens;
import dev.agentsessions.session.report.Usage;
import dev.agentsessions.session.report.Usage.ModelUsage;

/**
 * A line of a table of tokens.
 *
 * @param name what the line stands for
 * @param link a page with more about it; {@code null} for none
 * @param turns the number of turns
 * @param duration how long they took; blank for none
 * @param prompt tokens of prompts
 * @param cached those of them from a cache
 * @param thoughts tokens of thoughts
 * @param output tokens of responses
 * @param total all tokens
 * @param cost the cost, and what it does not contain
 */
record UsageLine(TruncatedText name, @Nullable String link, String turns, String duration, String prompt, String cached,
		String thoughts, String output, String total, String cost) {

	private static final int COST_DIGITS = 4;

	private static final int MAX_NAMED_MODELS = 5;

	static UsageLine of(String name, @Nullable String link, Usage usage) {
		return of(name, link, number(usage.turns()), (usage.turns() > 0) ? DurationFormat.of(usage.duration()) : "",
				usage.tokens(), cost(usage));
	}

	static UsageLine of(ModelUsage usage) {
		String name = (usage.model() != null) ? usage.model() : "no model named";
		return of(name, null, "", "", usage.tokens(), (usage.cost() != null) ? cost(usage.cost()) : "no price");
	}

	private static UsageLine of(String name, @Nullable String link, String turns, String duration, Tokens tokens,
			String cost) {
		return new UsageLine(TruncatedText.of(name, TruncatedText.MAX_LINE_CHARS), link, turns, duration,
				number(tokens.prompt()), number(tokens.cached()), number(tokens.thoughts()), number(tokens.output()),
				number(tokens.total()), cost);
	}

	private static String cost(Usage usage) {
		String unpriced = (usage.unpricedTokens() > 0)
				? number(usage.unpricedTokens()) + " tokens without a price" + unpricedModels(usage) : "";
		return usage.cost()
			.map((cost) -> unpriced.isEmpty() ? cost(cost) : cost(cost) + " and " + unpriced)
			.orElse(unpriced);
	}

	/** Names the models without a price: the operator has to set one for each. */
	private static String unpricedModels(Usage usage) {
		String names = usage.models()
			.stream()
			.filter((model) -> model.cost() == null && model.tokens().total() > 0)
			.map((model) -> Objects.requireNonNullElse(model.model(), "no model named"))
			.limit(MAX_NAMED_MODELS)
			.collect(Collectors.joining(", "));
		return " (" + TruncatedText.of(names, TruncatedText.MAX_LINE_CHARS).text() + ")";
	}

	private static String cost(BigDecimal cost) {
		return cost.setScale(COST_DIGITS, RoundingMode.HALF_UP).toPlainString();
	}

	static String number(long number) {
		return String.format(Locale.ROOT, "%,d", number);
	}

}
