package dev.agentsessions.postgres.memory;

/**
 * A turn that is compared by its meaning.
 *
 * @param turn the turn, without a score
 * @param cosine how near it is to the query, -1 to 1
 */
record NearTurn(RankedTurn turn, double cosine) {

}
