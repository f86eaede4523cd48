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
import dev.agentsessions.session.Session;
import dev.agentsessions.session.Session.ForkedFrom;
import dev.agentsessions.session.Timestamps;
import dev.agentsessions.session.lifecycle.SessionQuery.FoundSessions.Found;

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
		return from(session, includeRevision, null);
	}

	/** Creates the response of a list that names an event of each session. */
	static AdkSession from(Found found, @Nullable Boolean includeRevision) {
		return from(found.session(), includeRevision, null, found.seq());
	}

	/** Creates the response, with the seqs of the events if requested. */
	static AdkSession from(Session session, @Nullable Boolean includeRevision, @Nullable Boolean includeSeqs) {
		return from(session, includeRevision, includeSeqs, null);
	}

	private static AdkSession from(Session session, @Nullable Boolean includeRevision, @Nullable Boolean includeSeqs,
			@Nullable Long matchedSeq) {
		boolean asked = Boolean.TRUE.equals(includeRevision);
		SeqList seqs = Boolean.TRUE.equals(includeSeqs) ? new SeqList() : null;
		Iterator<Event> stored = session.events().iterator();
		Iterator<Event> events = (seqs != null) ? seqs.of(stored) : stored;
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

		/** Wraps events so that each one is added to the list when it is read. */
		Iterator<Event> of(Iterator<Event> events) {
			return new Iterator<>() {

				@Override
				public boolean hasNext() {
					return events.hasNext();
				}

				@Override
				public Event next() {
					Event event = events.next();
					add(event.seq());
					return event;
				}

			};
		}

		/** Adds a seq, which must be greater than all earlier ones. */
		void add(long seq) {
			if (this.last == 0) {
				this.first = seq;
			}
			else {
				this.missing.set(index(this.last + 1), index(seq));
			}
			this.last = seq;
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
