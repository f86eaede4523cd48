package dev.agentsessions.console.list;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseBody;

import dev.agentsessions.console.view.SessionView;
import dev.agentsessions.session.Page;
import dev.agentsessions.session.Secrets;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.Session.ForkedFrom;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.event.EventCondition;
import dev.agentsessions.session.heap.ResponseHeap;
import dev.agentsessions.session.lifecycle.SessionQuery;
import dev.agentsessions.session.lifecycle.SessionQuery.FoundSessions;
import dev.agentsessions.session.lifecycle.SessionQuery.Position;
import dev.agentsessions.session.lifecycle.SessionQuery.UserQuery;
import dev.agentsessions.session.lifecycle.SessionQuery.UserQuery.UserSummary;
import dev.agentsessions.session.lifecycle.SessionService;
import dev.agentsessions.web.ConsoleAccess;
import dev.agentsessions.web.PageTokens;

/** Serves the lists as CSV, with the filters of their pages. */
@Controller
@RequestMapping(ConsoleAccess.PATH + "/apps/{appName}")
class CsvController {

	private static final int PAGE_SIZE = 1000;

	/** The search for events may examine many of them for each page, and find none. */
	private static final int MAX_SEARCHED_PAGES = 20;

	private final SessionService sessions;

	private final SessionListReader lists;

	private final PageTokens tokens;

	private final ResponseHeap memory;

	CsvController(SessionService sessions, SessionListReader lists, PageTokens tokens, ResponseHeap memory) {
		this.memory = memory;
		this.sessions = sessions;
		this.lists = lists;
		this.tokens = tokens;
	}

	/** Returns the address of a list as CSV, with the filters of the request. */
	static String link(String list, HttpServletRequest request) {
		return list + ".csv" + ListParameters.ofRequest(request);
	}

	@GetMapping({ "/sessions.csv", "/users/{userId}/sessions.csv" })
	@ResponseBody
	void sessions(@PathVariable String appName, @PathVariable @Nullable String userId, ListParameters parameters,
			HttpServletResponse response) {
		EventCondition condition = parameters.condition();
		SessionQuery query = parameters.toQuery(new StateOwner(appName, userId), this.tokens).limit(PAGE_SIZE);
		CsvPage first = sessions(query, condition);
		Csv csv = Csv.begin(response, "sessions.csv", "user", "session", "name", "labels", "events", "created",
				"updated", "expires", "forked from");
		first.write(csv, condition.isEmpty() ? Integer.MAX_VALUE : MAX_SEARCHED_PAGES);
	}

	@GetMapping("/users.csv")
	@ResponseBody
	void users(@PathVariable String appName, HttpServletResponse response) {
		CsvPage first = users(new UserQuery(new StateOwner(appName, null), null, PAGE_SIZE));
		first.write(Csv.begin(response, "users.csv", "user", "sessions", "updated"), Integer.MAX_VALUE);
	}

	private CsvPage users(UserQuery query) {
		this.memory.continueFrom(0);
		Page<UserSummary> page = this.sessions.users(query);
		List<List<Object>> rows = page.items().stream().map(CsvController::row).toList();
		return new CsvPage(rows, page.more() ? () -> users(query.after(page.last().userId())) : null);
	}

	private CsvPage sessions(SessionQuery query, EventCondition condition) {
		this.memory.continueFrom(0);
		FoundSessions page = this.lists.page(query, condition);
		List<List<Object>> rows = page.items().stream().map((found) -> row(found.session())).toList();
		Position next = page.next();
		return new CsvPage(rows, (next != null) ? () -> sessions(query.after(next), condition) : null);
	}

	private static List<Object> row(UserSummary user) {
		return List.of(user.userId(), user.sessions(), user.lastUpdateTime());
	}

	private static List<Object> row(Session session) {
		SessionDetails details = session.details();
		ForkedFrom origin = session.forkedFrom();
		return List.of(session.name().userId(), session.name().sessionId(),
				Objects.requireNonNullElse(details.displayName(), ""), String.join("; ", SessionView.labels(details)),
				session.revision(), session.createTime(), session.lastUpdateTime(),
				Objects.requireNonNullElse(details.expireTime(), ""), (origin != null) ? origin.sessionId() : "");
	}

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
		 * Writes this page and the next ones. The last line says so if there are more
		 * rows than it writes.
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

	/**
	 * Writes a table as CSV (RFC 4180) to a response that a browser stores as a file. A
	 * spreadsheet takes a cell that begins like a formula for one, so such a cell gets an
	 * apostrophe in front.
	 */
	static final class Csv {

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

}
