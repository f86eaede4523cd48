package dev.agentsessions.console.session;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.console.session.PartView.DataView;
import dev.agentsessions.console.view.ReadingMode;
import dev.agentsessions.console.view.TruncatedText;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonObject.LenientFields;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.event.EventFields;
import dev.agentsessions.session.event.FunctionParts.EventErrors;
import dev.agentsessions.web.InlineDataStripper;

/**
 * A part of the content of an event.
 *
 * @param kind its kind: {@code text}, {@code thought}, {@code call}, {@code answer},
 * {@code failed} for the answer of a function that failed, {@code data}, {@code other}
 * @param title its title; blank for a text
 * @param body its text or JSON
 * @param html the text as safe HTML; {@code null} to show the body
 * @param data its data; {@code null} if it has none
 * @param call the id of the function call; blank for none
 */
public record PartView(String kind, TruncatedText title, TruncatedText body, @Nullable String html,
		@Nullable DataView data, String call) {

	/** A longer text is folded. */
	private static final int MAX_UNFOLDED_CHARS = 3000;

	private static final int MAX_BRIEF_CHARS = 60;

	/** Creates a part without data. */
	static PartView of(String kind, String title, TruncatedText body, @Nullable String html) {
		return new PartView(kind, TruncatedText.line(title), body, html, null, "");
	}

	/** Returns the part with the id of the function call that it is or answers. */
	PartView ofCall(String id) {
		return new PartView(this.kind, this.title, this.body, this.html, this.data, id);
	}

	/** Creates a part with data. */
	static PartView of(DataView data) {
		return new PartView("data", data.title(), TruncatedText.EMPTY, null, data, "");
	}

	/** Returns whether the part is shown expanded. */
	public boolean isOpen() {
		return this.kind.equals("text") && this.body.text().length() <= MAX_UNFOLDED_CHARS;
	}

	/** Returns whether the part is the answer of a function that failed. */
	public boolean isFailed() {
		return this.kind.equals("failed");
	}

	/** Returns whether the part is the answer of a function. */
	boolean isAnswer() {
		return this.kind.equals("answer") || isFailed();
	}

	/** Returns whether the part is more than a thought or a blank text. */
	boolean isTelling() {
		return !this.kind.equals("thought") && !(this.kind.equals("text") && this.body.text().isBlank());
	}

	/** Returns the arguments of a call or the result of an answer in one line. */
	public String brief() {
		if (!this.kind.equals("call") && !isAnswer()) {
			return "";
		}
		return TruncatedText.brief(this.body.text().replaceFirst("(?s)^\\{(.*)}$", "$1"), MAX_BRIEF_CHARS);
	}

	/** Returns the title of a folded part. */
	public String summary() {
		return this.title.text().isEmpty() ? this.body.beginning() : this.title.text();
	}

	public boolean hasBody() {
		return !this.body.text().isEmpty();
	}

	/**
	 * The data of a part, which has its own address.
	 *
	 * @param form how a page shows it: {@code image}, {@code audio}, {@code video}, or
	 * else {@code file} for a link
	 * @param title its name, or else its type
	 * @param type its type; blank if the title is the type
	 * @param address its address
	 */
	public record DataView(String form, TruncatedText title, TruncatedText type, String address) {

		private static final String FILE = "file";

		/**
		 * Returns the view of a blob or a file.
		 * @param address the address of the data
		 */
		static DataView of(JsonObject data, String address) {
			String name = LenientFields.text(data, "displayName");
			String type = type(data);
			return new DataView(form(type), TruncatedText.line(name.isBlank() ? type : name),
					TruncatedText.line(name.isBlank() ? "" : type), address);
		}

		/**
		 * Returns the view of a file with a name.
		 * @param address the address of the data
		 */
		public static DataView of(String name, String type, String address) {
			return new DataView(form(type), TruncatedText.line(name), TruncatedText.line(type), address);
		}

		/** Returns the type of a blob or a file, as a page shows it. */
		static String type(JsonObject data) {
			String type = LenientFields.text(data, EventFields.MIME_TYPE);
			return type.isBlank() ? "Data without a type" : type;
		}

		/**
		 * Returns the form of a type. A PDF is a file: to show one, a page would have to
		 * permit plug-ins.
		 */
		private static String form(String type) {
			String kind = type.replaceFirst("/.*", "").toLowerCase(Locale.ROOT);
			return switch (kind) {
				case "image" -> type.contains("svg") ? FILE : kind;
				case "audio", "video" -> kind;
				default -> FILE;
			};
		}

	}

	/**
	 * Converts the parts of a content to views. All parts of an event share one limit of
	 * characters, which bounds the size of a page.
	 */
	static final class PartReader {

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
			addFunction("call", "Call of ", LenientFields.get(part, EventFields.FUNCTION_CALL), "args");
			addFunction("answer", "Answer of ", LenientFields.get(part, EventFields.FUNCTION_RESPONSE), "response");
			addData(LenientFields.object(part, EventFields.INLINE_DATA), address);
			addFile(LenientFields.object(part, EventFields.FILE_DATA), address);
			addJson("other", "Code", LenientFields.get(part, "executableCode"));
			addJson("other", "Result of code", LenientFields.get(part, "codeExecutionResult"));
		}

		private void addText(TruncatedText text, boolean thought) {
			String html = this.markdown ? this.mode.html(text) : null;
			this.parts.add(PartView.of(thought ? "thought" : "text", thought ? "Thought" : "", text, html));
		}

		/**
		 * Adds a function call, or the answer to one, with the id of the call.
		 * @param content the name of the member that is shown
		 */
		private void addFunction(String kind, String title, @Nullable JsonText function, String content) {
			if (function != null) {
				JsonObject fields = LenientFields.object(function);
				boolean failed = kind.equals("answer") && fields != null && EventErrors.failed(fields);
				addJson(failed ? "failed" : kind,
						title + LenientFields.text(fields, "name") + (failed ? ": failed" : ""),
						Objects.requireNonNullElse(LenientFields.get(fields, content), function));
				int last = this.parts.size() - 1;
				this.parts.set(last, this.parts.get(last).ofCall(LenientFields.text(fields, "id")));
			}
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

}
