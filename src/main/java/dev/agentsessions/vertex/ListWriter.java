package dev.agentsessions.vertex;

import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;

import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonStrings;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.SessionException;

/**
 * Writes a list while it is read, a piece at a time, so that a long one is never in
 * memory as a whole.
 */
final class ListWriter {

	private static final int PIECE = 1000;

	private ListWriter() {
	}

	/**
	 * Answers with a list.
	 * @param name the field of the list
	 * @param pageSize at most so many items; {@code null} or 0 for everything, as most
	 * clients never ask for a second page
	 */
	static <T> void write(HttpServletResponse response, String name, @Nullable Integer pageSize, Source<T> source)
			throws IOException {
		int left = size(pageSize);
		Page<T> page = source.read(null, Math.min(PIECE, left));
		response.setContentType("application/json");
		Writer out = new OutputStreamWriter(response.getOutputStream(), StandardCharsets.UTF_8);
		out.write("{\"" + name + "\":[");
		boolean first = write(out, page, source, true);
		left -= page.items().size();
		while (page.more() && left > 0) {
			page = source.read(page.last(), Math.min(PIECE, left));
			first = write(out, page, source, first);
			left -= page.items().size();
		}
		out.write(
				"]" + (page.more() ? ",\"nextPageToken\":" + JsonStrings.quote(source.token(page.last())) : "") + "}");
		out.flush();
	}

	private static int size(@Nullable Integer pageSize) {
		if (pageSize != null && pageSize < 0) {
			throw new SessionException.InvalidArgument("pageSize", "must not be negative");
		}
		return (pageSize == null || pageSize == 0) ? Integer.MAX_VALUE : pageSize;
	}

	private static <T> boolean write(Writer out, Page<T> page, Source<T> source, boolean first) throws IOException {
		String separator = first ? "" : ",";
		for (T item : page.items()) {
			JsonText json = source.json(item);
			if (json != null) {
				out.write(separator);
				out.write(json.text());
				separator = ",";
			}
		}
		return separator.isEmpty();
	}

	/** Where the items come from. */
	interface Source<T> {

		/** Reads what follows an item, or the first piece if there is none. */
		Page<T> read(@Nullable T behind, int limit);

		/** An item as it stands in the list, {@code null} if it does not. */
		@Nullable JsonText json(T item);

		/** The token of the page that follows an item. */
		String token(T last);

	}

}
