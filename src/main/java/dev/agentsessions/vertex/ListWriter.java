package dev.agentsessions.vertex;

import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.FieldNames;
import dev.agentsessions.json.JsonStrings;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.SessionException.InvalidArgument;
import dev.agentsessions.session.heap.ResponseHeap;

/**
 * Writes a list while it is read, one chunk at a time, so that a long list is never in
 * memory as a whole.
 */
final class ListWriter {

	private static final int MAX_CHUNK_ITEMS = 1000;

	private ListWriter() {
	}

	/**
	 * Writes a list as the response.
	 * @param memory the memory of the chunks
	 * @param name the field of the list
	 * @param pageSize the maximum number of items; {@code null} or 0 for all items,
	 * because most clients never request a second page
	 * @param source reads the items
	 */
	static <T> void write(HttpServletResponse response, ResponseHeap memory, String name, @Nullable Integer pageSize,
			Source<T> source) throws IOException {
		int remaining = size(pageSize);
		long before = memory.taken();
		Page<T> page = source.read(null, Math.min(MAX_CHUNK_ITEMS, remaining));
		response.setContentType("application/json");
		Writer out = new OutputStreamWriter(response.getOutputStream(), StandardCharsets.UTF_8);
		out.write("{\"" + name + "\":[");
		boolean first = write(out, page, source, true);
		remaining -= page.items().size();
		while (page.more() && remaining > 0) {
			T last = page.last();
			page = new Page<>(List.of(), true);
			memory.continueFrom(before);
			page = source.read(last, Math.min(MAX_CHUNK_ITEMS, remaining));
			first = write(out, page, source, first);
			remaining -= page.items().size();
		}
		out.write(
				"]" + (page.more() ? ",\"nextPageToken\":" + JsonStrings.quote(source.token(page.last())) : "") + "}");
		out.flush();
	}

	private static int size(@Nullable Integer pageSize) {
		InvalidArgument.check(pageSize == null || pageSize >= 0, "pageSize", "must not be negative");
		return (pageSize == null || pageSize == 0) ? Integer.MAX_VALUE : pageSize;
	}

	private static <T> boolean write(Writer out, Page<T> page, Source<T> source, boolean first) throws IOException {
		String separator = first ? "" : ",";
		for (T item : page.items()) {
			JsonText json = source.json(item);
			if (json != null) {
				out.write(separator);
				json.writeTo(out);
				separator = ",";
			}
		}
		return separator.isEmpty();
	}

	/** Reads the items of a list, and converts them to JSON. */
	interface Source<T> {

		/**
		 * Reads the next chunk of items.
		 * @param after the last item of the previous chunk; {@code null} for the first
		 * chunk
		 * @param limit the maximum number of items
		 */
		Page<T> read(@Nullable T after, int limit);

		/** Returns an item as JSON; {@code null} if the list omits it. */
		@Nullable JsonText json(T item);

		/** Returns the token of the page after an item. */
		String token(T last);

	}

	/**
	 * The parameter {@code orderBy}: a field, and {@code desc} for newest first.
	 *
	 * @param field the field, in snake_case
	 * @param newestFirst whether the newest come first instead of the oldest
	 */
	record OrderBy(String field, boolean newestFirst) {

		private static final Pattern ORDER = Pattern.compile("\\s*(\\w+)(?:\\s+(asc|desc))?\\s*");

		/**
		 * Parses the parameter, in camelCase or snake_case.
		 * @param text the parameter
		 * @param defaultOrder the order without the parameter
		 * @param fields the permitted fields, in snake_case
		 */
		static OrderBy of(@Nullable String text, OrderBy defaultOrder, String... fields) {
			if (text == null || text.isBlank()) {
				return defaultOrder;
			}
			Matcher order = ORDER.matcher(text);
			String name = order.matches() ? FieldNames.toCamelCase(order.group(1)) : "";
			for (String field : fields) {
				if (FieldNames.toCamelCase(field).equals(name)) {
					return new OrderBy(field, "desc".equals(order.group(2)));
				}
			}
			throw new InvalidArgument("orderBy",
					"must be " + String.join(" or ", fields) + ", and may be followed by desc");
		}

	}

}
