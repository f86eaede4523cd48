package dev.agentsessions.linearizability;

import java.util.Optional;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.support.Answer;

/**
 * One question to the service and what came of it.
 *
 * @param text both, for people
 * @param from when it was asked, in nanoseconds of this process
 * @param until when the answer was there
 * @param answer the answer, {@code null} if none came
 */
record Exchange(String text, long from, long until, @Nullable Answer answer) {

	/** Whether it is known what happened: a fault of the service tells nothing. */
	boolean isAnswered() {
		return this.answer != null && this.answer.status() < 500;
	}

	int status() {
		return (this.answer != null) ? this.answer.status() : 0;
	}

	Answer orThrow() {
		return Optional.ofNullable(this.answer).orElseThrow();
	}

	@Nullable Tag tag() {
		return orThrow().header("ETag").map(Tag::of).orElse(null);
	}

	boolean isReplayed() {
		return orThrow().header("Idempotent-Replayed").isPresent();
	}

	/** The code of a problem in either dialect, blank for none. */
	String code() {
		return orThrow().at("/code").asString(orThrow().at("/error/status").asString(""));
	}

	String lastUpdateTime() {
		return orThrow().at("/lastUpdateTime").asString("");
	}

}
