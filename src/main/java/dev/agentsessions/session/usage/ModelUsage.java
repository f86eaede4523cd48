package dev.agentsessions.session.usage;

import java.math.BigDecimal;

import org.jspecify.annotations.Nullable;

/**
 * What one model has spent.
 *
 * @param model the model; {@code null} if the senders name none
 * @param events the number of events with its counts
 * @param tokens the tokens
 * @param cost the cost; {@code null} if the model has no price
 */
public record ModelUsage(@Nullable String model, long events, Tokens tokens, @Nullable BigDecimal cost) {

}
