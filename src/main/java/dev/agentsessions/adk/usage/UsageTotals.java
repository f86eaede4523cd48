package dev.agentsessions.adk.usage;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.List;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.usage.ModelUsage;
import dev.agentsessions.session.usage.Tokens;
import dev.agentsessions.session.usage.Usage;

/**
 * What some events have spent together.
 *
 * @param events the number of events, also of those without tokens
 * @param turns the number of turns
 * @param seconds how long these turns took together
 * @param promptTokens tokens of prompts
 * @param cachedTokens those of them from a cache
 * @param toolUseTokens tokens of prompts for tools that the model itself uses
 * @param thoughtsTokens tokens of thoughts
 * @param outputTokens tokens of responses
 * @param totalTokens the totals of the senders
 * @param cost what the models with a price cost; absent if none has one
 * @param unpricedTokens the number of tokens of the other models; absent if there are no
 * prices
 * @param invalidEvents the number of events with a count that is not possible
 * @param models the same by model
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record UsageTotals(long events, long turns, BigDecimal seconds, long promptTokens, long cachedTokens,
		long toolUseTokens, long thoughtsTokens, long outputTokens, long totalTokens, @Nullable BigDecimal cost,
		@Nullable Long unpricedTokens, long invalidEvents, List<Model> models) {

	private static final int COST_DIGITS = 6;

	private static final int NANOSECOND_DIGITS = 9;

	static UsageTotals from(Usage usage, boolean priced) {
		Tokens tokens = usage.tokens();
		return new UsageTotals(usage.events(), usage.turns(), seconds(usage.duration()), tokens.prompt(),
				tokens.cached(), tokens.toolUse(), tokens.thoughts(), tokens.output(), tokens.total(),
				rounded(usage.cost().orElse(null)), priced ? usage.unpricedTokens() : null, usage.invalidEvents(),
				usage.models().stream().map(Model::from).toList());
	}

	private static BigDecimal seconds(Duration duration) {
		BigDecimal seconds = BigDecimal.valueOf(duration.getSeconds())
			.add(BigDecimal.valueOf(duration.getNano(), NANOSECOND_DIGITS));
		return new BigDecimal(seconds.stripTrailingZeros().toPlainString());
	}

	private static @Nullable BigDecimal rounded(@Nullable BigDecimal cost) {
		return (cost != null) ? cost.setScale(COST_DIGITS, RoundingMode.HALF_UP) : null;
	}

	/**
	 * What a model has spent.
	 *
	 * @param model the model; absent if the senders name none
	 * @param events the number of events with its counts
	 * @param promptTokens tokens of prompts
	 * @param cachedTokens those of them from a cache
	 * @param toolUseTokens tokens of prompts for tools that the model itself uses
	 * @param thoughtsTokens tokens of thoughts
	 * @param outputTokens tokens of responses
	 * @param totalTokens the totals of the senders
	 * @param cost what they cost; absent if the model has no price
	 */
	@JsonInclude(JsonInclude.Include.NON_NULL)
	record Model(@Nullable String model, long events, long promptTokens, long cachedTokens, long toolUseTokens,
			long thoughtsTokens, long outputTokens, long totalTokens, @Nullable BigDecimal cost) {

		private static Model from(ModelUsage usage) {
			Tokens tokens = usage.tokens();
			return new Model(usage.model(), usage.events(), tokens.prompt(), tokens.cached(), tokens.toolUse(),
					tokens.thoughts(), tokens.output(), tokens.total(), rounded(usage.cost()));
		}

	}

}
