package dev.agentsessions.session.report;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.PositiveOrZero;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

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

	/**
	 * What tokens cost.
	 *
	 * @param prices the prices of models; without any, no costs are calculated
	 */
	@Validated
	@ConfigurationProperties("agent-sessions.console")
	public record PriceProperties(@DefaultValue List<@Valid Price> prices) {

		/** Prices are for this number of tokens: ten to the power of six. */
		private static final int MILLION_DIGITS = 6;

		/** Returns whether there are prices. */
		boolean areKnown() {
			return !this.prices.isEmpty();
		}

		/**
		 * Returns the cost of tokens; {@code null} if the model has no price. The longest
		 * beginning of the name decides. Providers put their names before it, as in
		 * {@code models/gemini-2.5-flash}: if the whole name has no price, what follows
		 * the last slash decides.
		 */
		@Nullable BigDecimal cost(@Nullable String model, Tokens tokens) {
			return Optional.ofNullable(model)
				.flatMap((name) -> find(name).or(() -> find(name.substring(name.lastIndexOf('/') + 1))))
				.map((price) -> price.cost(tokens).movePointLeft(MILLION_DIGITS))
				.orElse(null);
		}

		private Optional<Price> find(String model) {
			return this.prices.stream()
				.filter((price) -> model.startsWith(price.model()))
				.max(Comparator.comparingInt((price) -> price.model().length()));
		}

		/**
		 * The prices of the models whose names begin with a text, in any currency.
		 *
		 * @param model the beginning of the names
		 * @param input the price of a million tokens that a model reads
		 * @param cached the price of a million such tokens from a cache; as {@code input}
		 * by default
		 * @param cacheWrite the price of a million such tokens that are written to a
		 * cache; as {@code input} by default
		 * @param output the price of a million tokens that a model writes, thoughts
		 * included
		 */
		public record Price(@NotBlank String model, @NotNull @PositiveOrZero BigDecimal input,
				@PositiveOrZero @Nullable BigDecimal cached, @PositiveOrZero @Nullable BigDecimal cacheWrite,
				@NotNull @PositiveOrZero BigDecimal output) {

			private BigDecimal cost(Tokens tokens) {
				BigDecimal ofCache = (this.cached != null) ? this.cached : this.input;
				BigDecimal toCache = (this.cacheWrite != null) ? this.cacheWrite : this.input;
				return this.input.multiply(BigDecimal.valueOf(tokens.readAnew()))
					.add(ofCache.multiply(BigDecimal.valueOf(tokens.cached())))
					.add(toCache.multiply(BigDecimal.valueOf(tokens.cacheWritten())))
					.add(this.output.multiply(BigDecimal.valueOf(tokens.written())));
			}

		}

	}

	/**
	 * Numbers of tokens that models have counted.
	 *
	 * @param prompt of prompts, with those from a cache
	 * @param cached of prompts, from a cache
	 * @param cacheWritten of prompts, written to a cache
	 * @param toolUse of prompts for tools that the model itself uses
	 * @param thoughts of thoughts
	 * @param output of responses
	 * @param total the total as the sender gives it, or else the sum without
	 * {@code cached}
	 */
	public record Tokens(long prompt, long cached, long cacheWritten, long toolUse, long thoughts, long output,
			long total) {

		public static final Tokens NONE = new Tokens(0, 0, 0, 0, 0, 0, 0);

		/** Returns the sum of these and other tokens. */
		public Tokens plus(Tokens other) {
			return new Tokens(this.prompt + other.prompt, this.cached + other.cached,
					this.cacheWritten + other.cacheWritten, this.toolUse + other.toolUse,
					this.thoughts + other.thoughts, this.output + other.output, this.total + other.total);
		}

		/**
		 * Returns the tokens that the provider reads, except those from or for a cache.
		 */
		long readAnew() {
			return Math.max(0, this.prompt - this.cached - this.cacheWritten) + this.toolUse;
		}

		/**
		 * Returns the tokens that the model writes. Some senders count thoughts as output
		 * as well, and some do not; both count them once in the total.
		 */
		long written() {
			return Math.max(0, this.total - this.prompt - this.toolUse);
		}

	}

}
