package dev.agentsessions.console.view;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.Session;
import dev.agentsessions.session.Session.ForkedFrom;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionName;

/**
 * A session, in a list or at the top of its page.
 *
 * @param user its user
 * @param id its id
 * @param wholeId its id, not truncated
 * @param name its display name, or else its id
 * @param labels its labels, each {@code key=value}
 * @param revision its revision
 * @param created its creation time
 * @param updated when its newest event was stored
 * @param expires its expiry; blank for never
 * @param link its page
 * @param userLink the page of its user
 * @param origin the session it was forked from; {@code null} for none
 * @param matched the event for which a list has found it; {@code null} for none
 * @param ago how long ago it was updated
 * @param last the beginning of its newest event; empty if a list does not show it
 * @param status {@code waits}, {@code error}, {@code live} or blank
 */
public record SessionView(TruncatedText user, TruncatedText id, String wholeId, TruncatedText name,
		List<TruncatedText> labels, long revision, String created, String updated, String expires, String link,
		String userLink, @Nullable Origin origin, @Nullable EventLink matched, String ago, TruncatedText last,
		String status) {

	/**
	 * Returns the path of an SVG with a mark at each of these seqs, for the time line.
	 */
	public static String marks(LongStream seqs) {
		return seqs.mapToObj((seq) -> "M" + seq + " 0V1").collect(Collectors.joining());
	}

	public static SessionView of(Session session, Links links) {
		return of(session, null, TruncatedText.EMPTY, links);
	}

	/**
	 * Returns the view of a session.
	 * @param matched the event for which a list has found it; {@code null} for none
	 * @param error what failed in this event; blank for nothing
	 */
	public static SessionView of(Session session, @Nullable Long matched, TruncatedText error, Links links) {
		SessionName names = session.name();
		SessionDetails details = session.details();
		String name = details.displayName();
		return new SessionView(TruncatedText.line(names.userId()), TruncatedText.line(names.sessionId()),
				names.sessionId(), TruncatedText.line((name != null) ? name : names.sessionId()),
				labels(details).stream().map(TruncatedText::line).toList(), session.revision(),
				TimeFormat.of(session.createTime()), TimeFormat.of(session.lastUpdateTime()),
				TimeFormat.of(details.expireTime()), links.session(names), links.owner(names.user()),
				Origin.of(names, session.forkedFrom(), links),
				(matched != null) ? new EventLink(matched, error, links.eventInSession(names, matched)) : null,
				TimeFormat.ago(session.lastUpdateTime()), TruncatedText.EMPTY, "");
	}

	/** Returns the view with what a list shows of the newest event. */
	public SessionView with(TruncatedText last, String status) {
		return new SessionView(this.user, this.id, this.wholeId, this.name, this.labels, this.revision, this.created,
				this.updated, this.expires, this.link, this.userLink, this.origin, this.matched, this.ago, last,
				status);
	}

	/** Returns the labels of a session in sorted order, each {@code key=value}. */
	public static List<String> labels(SessionDetails details) {
		Map<String, String> labels = (details.labels() != null) ? details.labels() : Map.of();
		return new TreeMap<>(labels).entrySet()
			.stream()
			.map((label) -> label.getKey() + "=" + label.getValue())
			.toList();
	}

	/**
	 * An event of the session.
	 *
	 * @param seq its seq
	 * @param error what failed in it; blank for nothing
	 * @param link the page of the session at the event
	 */
	record EventLink(long seq, TruncatedText error, String link) {

	}

	/**
	 * The source of a fork.
	 *
	 * @param id the id of the source session
	 * @param seq the seq of the last event copied
	 * @param link the page of the source at that event
	 */
	record Origin(TruncatedText id, long seq, String link) {

		static @Nullable Origin of(SessionName fork, @Nullable ForkedFrom origin, Links links) {
			if (origin == null) {
				return null;
			}
			SessionName source = new SessionName(fork.user(), origin.sessionId());
			return new Origin(TruncatedText.line(origin.sessionId()), origin.seq(),
					links.session(source, origin.seq()));
		}

	}

}
