package dev.agentsessions.adk.session;

import java.math.BigDecimal;
import java.util.BitSet;
import java.util.Iterator;
import java.util.Map;
import java.util.stream.LongStream;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

import dev.agentsessions.adk.Preconditions.EntityTag;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.EventStream;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.Session.ForkedFrom;
import dev.agentsessions.session.Timestamps;

/**
 * A session in a response. ADK Python refuses unknown fields. Fields that ADK does not
 * have are therefore present only if a caller has set or requested them. Source: the
 * Session model of ADK Python 2.13.
 *
 * @param id the session id
 * @param appName the app
 * @param userId the user
 * @param state the merged state
 * @param events the requested events, oldest first; they are read while they are written
 * and can be iterated only once
 * @param seqs the seqs of these events, if requested; complete when the events have been
 * written
 * @param lastUpdateTime decimal seconds since 1970, with up to six digits
 * @param displayName the display name, if there is one
 * @param labels the labels (free keys and values), if there are any
 * @param forkedFrom the session from which this one was forked, if any
 * @param revision the number of events ever appended to the session, if requested
 * @param etag the version as in the header {@code ETag}, if the revision was requested
 * @param matchedSeq the seq of the newest event that meets the condition of a list, if
 * the revision was requested
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AdkSession(String id, String appName, String userId, Map<String, JsonText> state, Iterable<Event> events,
		@Nullable Iterable<Long> seqs, BigDecimal lastUpdateTime, @Nullable String displayName,
		@Nullable Map<String, String> labels, @Nullable ForkedFrom forkedFrom, @Nullable Long revision,
		@Nullable String etag, @Nullable Long matchedSeq) {

	static AdkSession from(Session session, @Nullable Boolean includeRevision) {
		return from(session, includeRevision, null, null);
	}

	/**
	 * Creates the response, with the seqs of the events if requested.
	 * @param matchedSeq the event that a list names of the session; {@code null} for none
	 */
	static AdkSession from(Session session, @Nullable Boolean includeRevision, @Nullable Boolean includeSeqs,
			@Nullable Long matchedSeq) {
		boolean asked = Boolean.TRUE.equals(includeRevision);
		SeqList seqs = Boolean.TRUE.equals(includeSeqs) ? new SeqList() : null;
		EventStream stored = (seqs != null) ? session.events().map(seqs::add) : session.events();
		Iterator<Event> events = stored.iterator();
		return new AdkSession(session.name().sessionId(), session.name().appName(), session.name().userId(),
				session.state(), () -> events, seqs, Timestamps.toSeconds(session.lastUpdateTime()),
				session.details().displayName(), session.details().labels(), session.forkedFrom(),
				asked ? session.revision() : null, asked ? EntityTag.of(session.version()) : null,
				asked ? matchedSeq : null);
	}

	/**
	 * The seqs of events that are written one by one, oldest first. The list is written
	 * after the events. It stores only the gaps between seqs, one bit for each missing
	 * seq. A whole history therefore needs no memory, and a selection from a million
	 * events needs at most 256 kB.
	 */
	static final class SeqList implements Iterable<Long> {

		private final BitSet missing = new BitSet();

		private long first = 1;

		private long last;

		/** Adds the seq of an event, which must be greater than all earlier ones. */
		Event add(Event event) {
			if (this.last == 0) {
				this.first = event.seq();
			}
			else {
				this.missing.set(index(this.last + 1), index(event.seq()));
			}
			this.last = event.seq();
			return event;
		}

		/** Returns the seqs that have been added so far. */
		@Override
		public Iterator<Long> iterator() {
			return LongStream.rangeClosed(this.first, this.last)
				.filter((seq) -> !this.missing.get(index(seq)))
				.iterator();
		}

		private int index(long seq) {
			return Math.toIntExact(seq - this.first);
		}

	}

}
