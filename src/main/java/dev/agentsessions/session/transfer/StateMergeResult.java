package dev.agentsessions.session.transfer;

/**
 * The result of adding keys to shared state.
 *
 * @param created the number of keys that were new
 * @param unchanged the number of keys that existed with the same value
 * @param conflicts the number of keys that existed with another value, and kept it
 */
public record StateMergeResult(int created, int unchanged, int conflicts) {

}
