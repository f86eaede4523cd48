package dev.agentsessions.search;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.json.LenientFields;
import dev.agentsessions.session.Secrets;
import dev.agentsessions.session.event.EventFields;

/**
 * The searched texts of an event: the texts of its content without thoughts, and the
 * transcriptions of speech (Source: {@code Event} and {@code Content} of ADK Python
 * 2.13).
 *
 * @param role the role of the content; {@code null} if there is none
 * @param parts the texts, in their order
 */
public record SaidText(@Nullable String role, List<String> parts) {

	/** Reads the searched texts of the body of an event. */
	public static SaidText of(JsonObject event) {
		JsonObject content = LenientFields.object(event.get(EventFields.CONTENT));
		List<String> parts = new ArrayList<>();
		if (content != null) {
			parts.addAll(texts(content));
		}
		Stream.of("inputTranscription", "outputTranscription")
			.map((name) -> LenientFields.object(event.get(name)))
			.forEach((transcription) -> add(parts,
					(transcription != null) ? transcription.get(EventFields.TEXT) : null));
		return new SaidText((content != null) ? text(content.get(EventFields.ROLE)) : null, parts);
	}

	SaidText seen(Secrets secrets) {
		return new SaidText(secrets.ofNullable(this.role), this.parts.stream().map(secrets::of).toList());
	}

	/** Returns the texts, each on a line of its own. */
	public String text() {
		return String.join("\n", this.parts);
	}

	private static List<String> texts(JsonObject content) {
		List<String> texts = new ArrayList<>();
		for (JsonText element : LenientFields.elements(content, EventFields.PARTS)) {
			JsonObject part = element.text().contains(EventFields.TEXT) ? LenientFields.object(element) : null;
			if (part != null && !isTrue(part.get(EventFields.THOUGHT))) {
				add(texts, part.get(EventFields.TEXT));
			}
		}
		return texts;
	}

	private static void add(List<String> texts, @Nullable JsonText value) {
		String text = text(value);
		if (text != null && !text.isBlank()) {
			texts.add(text);
		}
	}

	private static boolean isTrue(@Nullable JsonText value) {
		return value != null && value.text().equals("true");
	}

	private static @Nullable String text(@Nullable JsonText value) {
		return (value != null && value.isString()) ? value.string(EventFields.TEXT) : null;
	}

}
