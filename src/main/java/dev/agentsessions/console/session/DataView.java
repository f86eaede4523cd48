package dev.agentsessions.console.session;

import java.util.Locale;

import dev.agentsessions.console.view.TruncatedText;
import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.LenientFields;
import dev.agentsessions.session.event.EventFields;

/**
 * The data of a part, which has its own address.
 *
 * @param form how a page shows it: {@code image}, {@code audio}, {@code video}, or else
 * {@code file} for a link
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
		return new DataView(form(type), line(name.isBlank() ? type : name), line(name.isBlank() ? "" : type), address);
	}

	/**
	 * Returns the view of a file with a name.
	 * @param address the address of the data
	 */
	public static DataView of(String name, String type, String address) {
		return new DataView(form(type), line(name), line(type), address);
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

	private static TruncatedText line(String text) {
		return TruncatedText.of(text, TruncatedText.MAX_LINE_CHARS);
	}

}
