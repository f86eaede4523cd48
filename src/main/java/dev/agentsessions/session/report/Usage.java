package dev.agentsessions.session.report;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * What some events have spent together.
 *
 * @param events the number of events, also of those without tokens
 * @param turns the number of turns that begin with one of them
 * @param failedTurns the number of those of them in which an event reports an error
 * @param duration how long these turns took together, each from its first to its last
 * time
 * @param tokens the tokens of all models
 * @param invalidEvents the number of events with a count that is not possible; this count
 * is left out
 * @param models the same by model, the one with the most tokens first
 */
public record Usage(long events, long turns, long failedTurns, Duration duration, Tokens tokens, long invalidEvents,
		List<ModelUsage> models) {

	/** Returns the cost of the models that have a price; empty if none has one. */
	public Optional<BigDecimal> cost() {
		return this.models.stream().map(ModelUsage::cost).filter(Objects::nonNull).reduce(BigDecimal::add);
	}

	/** Returns the number of tokens of models without a price. */
	public long unpricedTokens() {
		return this.models.stream()
			.filter((model) -> model.cost() == null)
			.mapToLong((model) -> model.tokens().total())
			.sum();
	}

	/**
	 * What one model has spent.
	 *
	 * @param model the model; {@code null} if the senders name none
	 * @param events the number of events with its counts
	 * @param tokens the tokens
	 * @param cost the cost; {@code null} before it is priced, and if the model has no
	 * price
	 */
	public record ModelUsage(@Nullable String model, long events, Tokens tokens, @Nullable BigDecimal cost) {

		ModelUsage plus(ModelUsage other) {
			return new ModelUsage(this.model, this.events + other.events, this.tokens.plus(other.tokens), null);
		}

		ModelUsage priced(PriceProperties prices) {
			return new ModelUsage(this.model, this.events, this.tokens, prices.cost(this.model, this.tokens));
		}

	}

}
