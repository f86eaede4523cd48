package dev.agentsessions.console;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;

/**
 * Makes the parts of a content into what a page shows of them. All parts of an event
 * share a number of characters, so that a page never gets larger than so many events make
 * it.
 */
final class PartReader {

	/** In characters, of all parts of an event together. */
	private static final int LONGEST = 20_000;

	/** The others are counted. */
	private static final int MOST = 50;

	private static final double BYTES_OF_BASE64 = 0.75;

	private final List<PartView> parts = new ArrayList<>();

	private int room = LONGEST;

	private PartReader() {
	}

	/** Reads the parts of a content, none if there is no content. */
	static List<PartView> read(@Nullable JsonObject content) {
		List<JsonText> elements = Fields.elements(content, "parts");
		PartReader reader = new PartReader();
		elements.stream().limit(MOST).forEach(reader::add);
		if (elements.size() > MOST) {
			reader.add("other", "%d more parts".formatted(elements.size() - MOST), Clip.NOTHING);
		}
		return reader.parts;
	}

	private void add(JsonText element) {
		JsonObject part = Fields.object(element);
		if (part == null) {
			addJson("other", "A part that cannot be read", element);
			return;
		}
		JsonText text = part.get("text");
		if (text != null) {
			boolean thought = Fields.text(part, "thought").equals("true");
			add(thought ? "thought" : "text", thought ? "Thought" : "", clip(text.stringOrText()));
		}
		addFunction("call", "Call of ", "args", Fields.get(part, "functionCall", "function_call"));
		addFunction("answer", "Answer of ", "response", Fields.get(part, "functionResponse", "function_response"));
		addData(Fields.object(part, "inlineData", "inline_data"));
		addFile(Fields.object(part, "fileData", "file_data"));
		addJson("other", "Code", Fields.get(part, "executableCode", "executable_code"));
		addJson("other", "Result of code", Fields.get(part, "codeExecutionResult", "code_execution_result"));
	}

	private void addFunction(String kind, String title, String value, @Nullable JsonText function) {
		if (function != null) {
			JsonObject fields = Fields.object(function);
			JsonText said = Fields.get(fields, value);
			addJson(kind, title + Fields.text(fields, "name"), (said != null) ? said : function);
		}
	}

	/** The data itself is not for reading. */
	private void addData(@Nullable JsonObject data) {
		if (data != null) {
			JsonText base64 = data.get("data");
			double bytes = (base64 != null) ? base64.text().length() * BYTES_OF_BASE64 : 0;
			add("data", type(data) + ", " + size(bytes), Clip.NOTHING);
		}
	}

	private void addFile(@Nullable JsonObject file) {
		if (file != null) {
			add("data", type(file), clip(Fields.text(file, "fileUri", "file_uri")));
		}
	}

	private static String type(JsonObject data) {
		String type = Fields.text(data, "mimeType", "mime_type");
		return type.isBlank() ? "Data without a type" : type;
	}

	private static String size(double bytes) {
		double kilobytes = bytes / 1000;
		return (kilobytes < 1000) ? String.format(Locale.ROOT, "%.1f KB", kilobytes)
				: String.format(Locale.ROOT, "%.1f MB", kilobytes / 1000);
	}

	private void addJson(String kind, String title, @Nullable JsonText json) {
		if (json != null) {
			Clip lines = IndentedJson.of(json, Math.min(Clip.LONGEST, this.room));
			this.room -= lines.text().length();
			add(kind, title, lines);
		}
	}

	private Clip clip(String text) {
		Clip shown = Clip.of(text, Math.min(Clip.LONGEST, this.room));
		this.room -= shown.text().length();
		return shown;
	}

	private void add(String kind, String title, Clip body) {
		this.parts.add(new PartView(kind, title, body));
	}

}
