package dev.agentsessions.console.list;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

import jakarta.servlet.http.HttpServletResponse;
import org.springframework.http.HttpHeaders;

import dev.agentsessions.session.Secrets;

/**
 * Writes a table as CSV (RFC 4180) to a response that a browser stores as a file. A
 * spreadsheet takes a cell that begins like a formula for one, so such a cell gets an
 * apostrophe in front.
 */
final class Csv {

	/** A spreadsheet also takes the full-width forms of some signs. */
	private static final String BEGINNINGS_OF_FORMULAS = "=+-@\t\r\n\uff1d\uff0b\uff0d\uff20";

	private final HttpServletResponse response;

	private final int columns;

	private Csv(HttpServletResponse response, int columns) {
		this.response = response;
		this.columns = columns;
	}

	/**
	 * Begins a table.
	 * @param file the name of the file
	 * @param columns the names of the columns
	 */
	static Csv begin(HttpServletResponse response, String file, String... columns) {
		response.setContentType("text/csv;charset=UTF-8");
		response.setHeader(HttpHeaders.CONTENT_DISPOSITION, "attachment; filename=\"" + file + "\"");
		Csv csv = new Csv(response, columns.length);
		csv.row(List.of(columns));
		return csv;
	}

	/** Writes a row. */
	void row(List<?> cells) {
		String line = cells.stream().map(Csv::cell).collect(Collectors.joining(",", "", "\r\n"));
		try {
			this.response.getWriter().write(line);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Writes a last line with a text in its first cell. */
	void end(String text) {
		List<String> cells = new ArrayList<>(Collections.nCopies(this.columns, ""));
		cells.set(0, text);
		row(cells);
	}

	/** Returns a cell. Numbers are no formulas. */
	static String cell(Object value) {
		String text = (value instanceof String content) ? Secrets.MASKED.of(content) : value.toString();
		boolean formula = value instanceof String && !text.isEmpty()
				&& BEGINNINGS_OF_FORMULAS.indexOf(text.charAt(0)) >= 0;
		return '"' + (formula ? "'" : "") + text.replace("\"", "\"\"") + '"';
	}

}
