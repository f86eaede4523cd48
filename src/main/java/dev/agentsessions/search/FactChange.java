package dev.agentsessions.search;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.session.Expiry;

/**
 * A change of a fact.
 *
 * @param fields the fields to set; JSON null removes one
 * @param expiry the new expiry; {@code null} to keep the current one
 */
public record FactChange(JsonObject fields, @Nullable Expiry expiry) {

}
