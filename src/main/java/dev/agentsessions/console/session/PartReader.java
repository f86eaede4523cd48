package dev.agentsessions.console.session;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.console.view.IndentedJson;
import dev.agentsessions.console.view.LenientFields;
import dev.agentsessions.console.view.TruncatedText;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.web.part.InlineDataStripper;

/**
 * Converts the parts of a content to views. All parts of an event share one limit of
 * characters, which bounds the size of a page.
 */
final class PartReader {

	/** For all parts of an event together. */
	private static final int MAX_CHARS = 20_000;

	/** Further parts are only counted. */
	private static final int MAX_PARTS = 50;

	private final List<PartView> parts = new ArrayList<>();

	private int charsLeft = MAX_CHARS;

	private PartReader() {
	}

	/**
	 * Reads the parts of a content; none if there is no content.
	 * @param event the address of the event
	 */
	static List<PartView> read(@Nullable JsonObject content, String event) {
		List<JsonText> elements = LenientFields.elements(content, "parts");
		PartReader reader = new PartReader();
		for (int index = 0; index < Math.min(MAX_PARTS, elements.size()); index++) {
			reader.add(elements.get(index), InlineDataStripper.address(event, index));
		}
		if (elements.size() > MAX_PARTS) {
			reader.add("other", "%d more parts".formatted(elements.size() - MAX_PARTS), TruncatedText.EMPTY);
		}
		return reader.parts;
	}

	/**
	 * Adds a part.
	 * @param address the address of its data, if it has any
	 */
	private void add(JsonText element, String address) {
		JsonObject part = LenientFields.object(element);
		if (part == null) {
			addJson("other", "A part that cannot be read", element);
			return;
		}
		JsonText text = part.get("text");
		if (text != null) {
			boolean thought = LenientFields.text(part, "thought").equals("true");
			add(thought ? "thought" : "text", thought ? "Thought" : "", truncate(text.stringOrText()));
		}
		addFunction("call", "Call of ", "args", LenientFields.get(part, "functionCall", "function_call"));
		addFunction("answer", "Answer of ", "response",
				LenientFields.get(part, "functionResponse", "function_response"));
		addData(LenientFields.object(part, "inlineData", "inline_data"), address);
		addFile(LenientFields.object(part, "fileData", "file_data"), address);
		addJson("other", "Code", LenientFields.get(part, "executableCode", "executable_code"));
		addJson("other", "Result of code", LenientFields.get(part, "codeExecutionResult", "code_execution_result"));
	}

	private void addFunction(String kind, String title, String value, @Nullable JsonText function) {
		if (function != null) {
			JsonObject fields = LenientFields.object(function);
			JsonText content = LenientFields.get(fields, value);
			addJson(kind, title + LenientFields.text(fields, "name"), (content != null) ? content : function);
		}
	}

	/** Adds data that is stored in the event. */
	private void addData(@Nullable JsonObject data, String address) {
		if (data != null && data.get("data") != null) {
			this.parts.add(PartView.ofData(type(data), address, isImage(data)));
		}
	}

	/** Adds data that has its own address. Only data of this service gets a link. */
	private void addFile(@Nullable JsonObject file, String address) {
		if (file != null) {
			String uri = LenientFields.text(file, "fileUri", "file_uri");
			this.parts.add(uri.equals(address) ? PartView.ofData(type(file), address, isImage(file))
					: new PartView("data", type(file), truncate(uri)));
		}
	}

	private static boolean isImage(JsonObject data) {
		return type(data).startsWith("image/") && !type(data).contains("svg");
	}

	private static String type(JsonObject data) {
		String type = LenientFields.text(data, "mimeType", "mime_type");
		return type.isBlank() ? "Data without a type" : type;
	}

	private void addJson(String kind, String title, @Nullable JsonText json) {
		if (json != null) {
			TruncatedText lines = IndentedJson.of(json, Math.min(TruncatedText.MAX_CHARS, this.charsLeft));
			this.charsLeft -= lines.text().length();
			add(kind, title, lines);
		}
	}

	private TruncatedText truncate(String text) {
		TruncatedText shown = TruncatedText.of(text, Math.min(TruncatedText.MAX_CHARS, this.charsLeft));
		this.charsLeft -= shown.text().length();
		return shown;
	}

	private void add(String kind, String title, TruncatedText body) {
		this.parts.add(new PartView(kind, title, body));
	}

}
