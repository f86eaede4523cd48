package dev.agentsessions.console.session;

/**
 * Where two sessions part.
 *
 * @param common the number of events that both begin with
 * @param whole whether the next events differ, or one session ends there; otherwise
 * further events may be the same
 */
record Divergence(long common, boolean whole) {

}
