package dev.agentsessions.console.list;

import java.util.List;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.SessionException;

/**
 * A part of a table that is read page by page.
 *
 * @param rows the rows
 * @param next reads the next page; {@code null} if there is none
 */
record CsvPage(List<List<Object>> rows, @Nullable Supplier<CsvPage> next) {

	/** After this number of rows, a file ends with the page that it is in. */
	static final int MAX_ROWS = 10_000;

	static final String LIMITED = "This file ends here, but the list does not. A narrower filter finds the rest.";

	static final String CUT = "This file ends here, but the list does not: the database was too busy. "
			+ "Please download it again.";

	/**
	 * Writes this page and the next ones. The last line says so if there are more rows
	 * than it writes.
	 * @param maxPages the maximum number of pages
	 */
	void write(Csv csv, int maxPages) {
		CsvPage page = this;
		page.rows.forEach(csv::row);
		long rows = page.rows.size();
		for (int pages = 1; page.next != null; pages++) {
			if (pages >= maxPages || rows >= MAX_ROWS) {
				csv.end(LIMITED);
				return;
			}
			try {
				page = page.next.get();
			}
			catch (SessionException.Unavailable ex) {
				csv.end(CUT);
				return;
			}
			page.rows.forEach(csv::row);
			rows += page.rows.size();
		}
	}

}
