package dev.agentsessions.session.transfer;

/**
 * What became of keys that were to be added to shared state.
 *
 * @param created how many were not there
 * @param unchanged how many were there with the same value
 * @param conflicts how many were there with another value, and kept it
 */
public record StateMergeResult(int created, int unchanged, int conflicts) {

}
