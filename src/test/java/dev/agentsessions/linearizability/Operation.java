package dev.agentsessions.linearizability;

import java.util.List;
import java.util.function.Function;

/**
 * What a client asked and was answered, as a step from one state to another.
 *
 * @param <S> the states
 * @param text what it was, for people
 * @param from when it was asked, in nanoseconds of this process
 * @param until when the answer was there; {@link #NEVER} if none came
 * @param certain whether it happened, in this way. What was not answered may have
 * happened at any later time, or never
 * @param changing whether it may change anything; a read and a refusal never do
 * @param step the states it may lead to; none if it cannot happen in a state
 */
record Operation<S>(String text, long from, long until, boolean certain, boolean changing, Function<S, List<S>> step) {

	static final long NEVER = Long.MAX_VALUE;

	/** A change that was answered. */
	static <S> Operation<S> changed(String text, long from, long until, Function<S, List<S>> step) {
		return new Operation<>(text, from, until, true, true, step);
	}

	/** An answer that changed nothing. */
	static <S> Operation<S> seen(String text, long from, long until, Function<S, List<S>> step) {
		return new Operation<>(text, from, until, true, false, step);
	}

	/** Something that may have happened at any time since, or not at all. */
	static <S> Operation<S> unanswered(String text, long from, Function<S, List<S>> step) {
		return new Operation<>(text, from, NEVER, false, true, step);
	}

}
