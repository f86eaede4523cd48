package dev.agentsessions.search;

/**
 * A fact of a list over all scopes of an app.
 *
 * @param scope whose fact it is
 * @param fact the fact
 */
public record ScopedFact(MemoryScope scope, Fact fact) {

}
