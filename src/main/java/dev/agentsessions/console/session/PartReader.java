package dev.agentsessions.console.session;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.console.view.ReadingMode;
import dev.agentsessions.console.view.TruncatedText;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.json.LenientFields;
import dev.agentsessions.session.event.EventErrors;
import dev.agentsessions.session.event.EventFields;
import dev.agentsessions.web.body.InlineDataStripper;

/**
 * Converts the parts of a content to views. All parts of an event share one limit of
 * characters, which bounds the size of a page.
 */
final class PartReader {

	/** For all parts of an event together. */
	private static final int MAX_CHARS = 20_000;

	/** Further parts are only counted. */
	private static final int MAX_PARTS = 50;

	private final ReadingMode mode;

	private final boolean markdown;

	private final List<PartView> parts = new ArrayList<>();

	private int charsLeft = MAX_CHARS;

	private PartReader(ReadingMode mode, boolean markdown) {
		this.mode = mode;
		this.markdown = markdown;
	}

	/**
	 * Reads the parts of a content; none if there is no content.
	 * @param event the address of the event
	 * @param markdown whether its texts may be Markdown
	 */
	static List<PartView> read(@Nullable JsonObject content, String event, ReadingMode mode, boolean markdown) {
		List<JsonText> elements = LenientFields.elements(content, EventFields.PARTS);
		PartReader reader = new PartReader(mode, markdown);
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
		JsonText text = part.get(EventFields.TEXT);
		if (text != null) {
			addText(truncate(text.stringOrText()), LenientFields.text(part, EventFields.THOUGHT).equals("true"));
		}
		addCall(LenientFields.get(part, EventFields.FUNCTION_CALL));
		addAnswer(LenientFields.get(part, EventFields.FUNCTION_RESPONSE));
		addData(LenientFields.object(part, EventFields.INLINE_DATA), address);
		addFile(LenientFields.object(part, EventFields.FILE_DATA), address);
		addJson("other", "Code", LenientFields.get(part, "executableCode"));
		addJson("other", "Result of code", LenientFields.get(part, "codeExecutionResult"));
	}

	private void addText(TruncatedText text, boolean thought) {
		String html = this.markdown ? this.mode.html(text) : null;
		this.parts.add(PartView.of(thought ? "thought" : "text", thought ? "Thought" : "", text, html));
	}

	private void addCall(@Nullable JsonText call) {
		if (call != null) {
			JsonObject fields = LenientFields.object(call);
			addJson("call", "Call of " + LenientFields.text(fields, "name"),
					Objects.requireNonNullElse(LenientFields.get(fields, "args"), call));
			nameCall(fields);
		}
	}

	private void addAnswer(@Nullable JsonText answer) {
		if (answer != null) {
			JsonObject fields = LenientFields.object(answer);
			boolean failed = fields != null && EventErrors.failed(fields);
			addJson(failed ? "failed" : "answer",
					"Answer of " + LenientFields.text(fields, "name") + (failed ? ": failed" : ""),
					Objects.requireNonNullElse(LenientFields.get(fields, "response"), answer));
			nameCall(fields);
		}
	}

	/** Gives the newest part the id of its call. */
	private void nameCall(@Nullable JsonObject function) {
		int last = this.parts.size() - 1;
		this.parts.set(last, this.parts.get(last).ofCall(LenientFields.text(function, "id")));
	}

	/** Adds data that is stored in the event. */
	private void addData(@Nullable JsonObject data, String address) {
		if (data != null && data.get(EventFields.DATA) != null) {
			this.parts.add(PartView.of(DataView.of(data, address)));
		}
	}

	/** Adds data that has its own address. Only data of this service gets a link. */
	private void addFile(@Nullable JsonObject file, String address) {
		if (file != null) {
			String uri = LenientFields.text(file, EventFields.FILE_URI);
			if (uri.equals(address)) {
				this.parts.add(PartView.of(DataView.of(file, address)));
			}
			else {
				add("data", DataView.type(file), truncate(uri));
			}
		}
	}

	private void addJson(String kind, String title, @Nullable JsonText json) {
		if (json != null) {
			TruncatedText lines = this.mode.json(json, Math.min(TruncatedText.MAX_CHARS, this.charsLeft));
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
		this.parts.add(PartView.of(kind, title, body, null));
	}

}
