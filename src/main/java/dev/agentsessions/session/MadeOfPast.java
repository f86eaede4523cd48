package dev.agentsessions.session;

/**
 * What was made of a state of the past.
 *
 * @param <T> what it is
 * @param result what was made
 * @param whole whether it has all keys of that state; if not, the session is from before
 * initial states were kept, and what it began with and an event has set since is missing
 */
public record MadeOfPast<T>(T result, boolean whole) {

}
