package dev.agentsessions.console;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.http.LightParts;
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

	private final List<PartView> parts = new ArrayList<>();

	private int room = LONGEST;

	private PartReader() {
	}

	/**
	 * Reads the parts of a content, none if there is no content.
	 * @param event the address of the event
	 */
	static List<PartView> read(@Nullable JsonObject content, String event) {
		List<JsonText> elements = Fields.elements(content, "parts");
		PartReader reader = new PartReader();
		for (int place = 0; place < Math.min(MOST, elements.size()); place++) {
			reader.add(elements.get(place), LightParts.address(event, place));
		}
		if (elements.size() > MOST) {
			reader.add("other", "%d more parts".formatted(elements.size() - MOST), Clip.NOTHING);
		}
		return reader.parts;
	}

	/**
	 * Adds a part.
	 * @param address where its data is, if it has any
	 */
	private void add(JsonText element, String address) {
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
		addData(Fields.object(part, "inlineData", "inline_data"), address);
		addFile(Fields.object(part, "fileData", "file_data"), address);
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

	/** Small data stands in the event. */
	private void addData(@Nullable JsonObject data, String address) {
		if (data != null && data.get("data") != null) {
			this.parts.add(PartView.ofData(type(data), address, isImage(data)));
		}
	}

	/**
	 * Large data has become a file of ours. Others are elsewhere, no link leads there.
	 */
	private void addFile(@Nullable JsonObject file, String address) {
		if (file != null) {
			String uri = Fields.text(file, "fileUri", "file_uri");
			this.parts.add(uri.equals(address) ? PartView.ofData(type(file), address, isImage(file))
					: new PartView("data", type(file), clip(uri)));
		}
	}

	private static boolean isImage(JsonObject data) {
		return type(data).startsWith("image/") && !type(data).contains("svg");
	}

	private static String type(JsonObject data) {
		String type = Fields.text(data, "mimeType", "mime_type");
		return type.isBlank() ? "Data without a type" : type;
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
