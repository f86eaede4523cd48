package dev.agentsessions.search.fact;

import dev.agentsessions.search.MemoryScope;

/**
 * A fact of a list over all scopes of an app.
 *
 * @param scope whose fact it is
 * @param fact the fact
 */
public record ScopedFact(MemoryScope scope, Fact fact) {

}
