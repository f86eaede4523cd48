package dev.agentsessions.console.session;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.console.report.TokenUsage;
import dev.agentsessions.console.view.DurationFormat;
import dev.agentsessions.console.view.TruncatedText;

/**
 * A row in the picture of a turn.
 *
 * @param seq the seq of its event
 * @param kind what took the time: {@code user}, {@code model}, {@code tool}, {@code wait}
 * for a person, {@code other}
 * @param author the author of the event
 * @param branch the branch of the author; blank for none
 * @param what the beginning of its text, or the names of functions
 * @param begin when it began
 * @param end when it ended; {@code null} for a wait that has not ended
 * @param tokens its tokens
 * @param error its error; {@code null} for none
 * @param link the page of the session at the event
 */
record WaterfallRow(long seq, String kind, TruncatedText author, TruncatedText branch, TruncatedText what,
		Instant begin, @Nullable Instant end, TokenUsage tokens, @Nullable TruncatedText error, String link) {

	/** Returns how long it took. */
	public String duration() {
		return (this.end != null) ? DurationFormat.precise(Duration.between(this.begin, this.end)) : "no answer";
	}

	/** Returns the number of the colour of the author. */
	public int color() {
		return EventView.color(this.author);
	}

}
