package dev.agentsessions.search.fact;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonObject;

/**
 * A change of a fact.
 *
 * @param fields the fields to set; JSON null removes one
 * @param changesExpiry whether the fact gets another expiry
 * @param ttl the time until the new expiry; {@code null} for none
 */
public record FactChange(JsonObject fields, boolean changesExpiry, @Nullable Duration ttl) {

}
