package dev.agentsessions.search;

/**
 * The result of storing a fact.
 *
 * @param fact the stored fact
 * @param isNew whether this request has created it; otherwise an equal fact with this id
 * was there already
 */
public record StoredFact(Fact fact, boolean isNew) {

}
