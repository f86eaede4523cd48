package dev.agentsessions.adk;

import java.time.Instant;
import java.util.Set;
import java.util.function.UnaryOperator;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.Event;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.HistoryView;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.Timestamps;
import dev.agentsessions.web.SessionPath;
import dev.agentsessions.web.part.InlineDataStripper;

/** The query parameters of this dialect: their names, and what several requests read. */
public final class QueryParameters {

	/** Those of any route. */
	static final Set<String> NAMES = Set.of("afterSeq", "afterTimestamp", "atSeq", "author", "bodyStyle", "displayName",
			"fromSeq", "includeEval", "includeRevision", "includeState", "invocationId", "label", "lastUpdateTime",
			"limit", "numRecentEvents", "order", "pageToken", "parts", "seqs", "sessionId", "view", "waiting");

	private QueryParameters() {
	}

	/** Whether the newest come first; {@code null} is the same as {@code asc}. */
	public static boolean isNewestFirst(@Nullable String order) {
		if (order == null || order.equals("asc")) {
			return false;
		}
		if (order.equals("desc")) {
			return true;
		}
		throw new SessionException.InvalidArgument("order", "must be asc or desc");
	}

	/**
	 * The size of a page.
	 * @param limit what was asked for; {@code null} for as many as there may be
	 */
	public static int pageSize(@Nullable Integer limit) {
		if (limit != null && limit < 1) {
			throw new SessionException.InvalidArgument("limit", "must be at least 1");
		}
		return (limit != null) ? limit : Integer.MAX_VALUE;
	}

	/** How much of a history is read; {@code null} is the same as {@code full}. */
	public static HistoryView view(@Nullable String view) {
		if (view == null || view.equals("full")) {
			return HistoryView.FULL;
		}
		if (view.equals("context")) {
			return HistoryView.CONTEXT;
		}
		throw new SessionException.InvalidArgument("view", "must be full or context");
	}

	/** Which events to read with a session. */
	public static EventWindow window(@Nullable Integer numRecentEvents, @Nullable String afterTimestamp,
			@Nullable String view, @Nullable Long fromSeq) {
		if (numRecentEvents != null && numRecentEvents < 0) {
			throw new SessionException.InvalidArgument("numRecentEvents", "must not be negative");
		}
		if (fromSeq != null && fromSeq < 1) {
			throw new SessionException.InvalidArgument("fromSeq", "must be at least 1");
		}
		return new EventWindow(numRecentEvents, since(afterTimestamp), view(view), (fromSeq != null) ? fromSeq : 1);
	}

	/**
	 * The form in which a request wants its events.
	 * @param parts {@code full}, or {@code null}, for the one in which they were sent, or
	 * {@code light}
	 */
	public static UnaryOperator<Event> form(@Nullable String parts, SessionKey key, HttpServletRequest request) {
		if (parts == null || parts.equals("full")) {
			return UnaryOperator.identity();
		}
		if (parts.equals("light")) {
			return new InlineDataStripper(SessionPath.of(key, request));
		}
		throw new SessionException.InvalidArgument("parts", "must be full or light");
	}

	/** The time from which on events are read; {@code null} for all. */
	public static @Nullable Instant since(@Nullable String afterTimestamp) {
		return (afterTimestamp != null) ? Timestamps.parse("afterTimestamp", afterTimestamp) : null;
	}

}
