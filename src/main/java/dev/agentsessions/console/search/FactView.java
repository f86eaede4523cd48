package dev.agentsessions.console.search;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.console.view.IndentedJson;
import dev.agentsessions.console.view.TimeFormat;
import dev.agentsessions.console.view.TruncatedText;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.search.fact.Fact;

/**
 * A fact about a user.
 *
 * @param id its id, not truncated
 * @param name its id as shown
 * @param text the text of the fact
 * @param author its author; blank for none
 * @param time the time that the client gave the fact, or else its time of creation
 * @param expires its expiry; blank for never
 * @param metadata its metadata; {@code null} for none
 */
record FactView(String id, TruncatedText name, TruncatedText text, TruncatedText author, String time, String expires,
		@Nullable TruncatedText metadata) {

	private static final int MAX_CHARS = 2000;

	static FactView of(Fact fact) {
		JsonText metadata = fact.body().metadata();
		return new FactView(fact.id(), TruncatedText.of(fact.id(), TruncatedText.MAX_LINE_CHARS),
				TruncatedText.of(fact.body().said().text(), MAX_CHARS),
				TruncatedText.of(Objects.requireNonNullElse(fact.body().author(), ""), TruncatedText.MAX_LINE_CHARS),
				TimeFormat.of(fact.time()), TimeFormat.of(fact.expireTime()),
				(metadata != null) ? IndentedJson.of(metadata, MAX_CHARS) : null);
	}

}
