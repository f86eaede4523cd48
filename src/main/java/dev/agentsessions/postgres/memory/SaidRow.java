package dev.agentsessions.postgres.memory;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.search.SaidText;
import dev.agentsessions.search.text.TextAnalysis;
import dev.agentsessions.search.text.Word;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.Timestamps;
import dev.agentsessions.session.event.EventFields;

/**
 * The text of an event, before it gets its number among the turns of the session.
 *
 * @param seq the seq of the event
 * @param author its author
 * @param time the time that its sender gave it
 * @param text the text
 * @param words the words of the text
 */
record SaidRow(long seq, String author, Instant time, String text, List<Word> words) {

	static SaidRow of(Event event, TextAnalysis analysis) {
		JsonObject body = JsonObject.of(event.body());
		String text = SaidText.of(body).text();
		return new SaidRow(event.seq(), Objects.requireNonNullElse(body.string(EventFields.AUTHOR), ""),
				EventFields.timeOf(body), text, analysis.words(text));
	}

	/** Whether the event says nothing that can be found. */
	boolean isSilent() {
		return this.words.isEmpty();
	}

	/** Returns the time with the precision of the database. */
	@Nullable OffsetDateTime offsetTime() {
		Instant micros = Timestamps.toMicroseconds(this.time);
		return (micros != null) ? micros.atOffset(ZoneOffset.UTC) : null;
	}

}
