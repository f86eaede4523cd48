package dev.agentsessions.session.report;

import java.math.BigDecimal;

import org.jspecify.annotations.Nullable;

/**
 * What one model has spent.
 *
 * @param model the model; {@code null} if the senders name none
 * @param events the number of events with its counts
 * @param tokens the tokens
 * @param cost the cost; {@code null} before it is priced, and if the model has no price
 */
public record ModelUsage(@Nullable String model, long events, Tokens tokens, @Nullable BigDecimal cost) {

	ModelUsage plus(ModelUsage other) {
		return new ModelUsage(this.model, this.events + other.events, this.tokens.plus(other.tokens), null);
	}

	ModelUsage priced(PriceProperties prices) {
		return new ModelUsage(this.model, this.events, this.tokens, prices.cost(this.model, this.tokens));
	}

}
