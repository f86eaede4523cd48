package dev.agentsessions.adk.session;

import java.math.BigDecimal;
import java.util.Iterator;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

import dev.agentsessions.adk.EntityTag;
import dev.agentsessions.adk.event.SeqList;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.ForkedFrom;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.Timestamps;

/**
 * A session on the wire. ADK Python refuses fields it does not know, so those that ADK
 * does not have are there only when somebody has set them or asks for them. Source: the
 * Session model of ADK Python 2.6.
 *
 * @param id the session id
 * @param appName the app
 * @param userId the user
 * @param state the merged state
 * @param events the events asked for, oldest first, read while they are written, and then
 * forgotten: they can be gone through once
 * @param seqs the seqs of these events, if they were asked for, known when the events are
 * written
 * @param lastUpdateTime decimal seconds since 1970, with up to six digits
 * @param displayName the name to show, if one was given
 * @param labels free keys and values, if some were given
 * @param forkedFrom the session whose copy it began as, if there is one
 * @param revision how many events the session ever got, if it was asked for
 * @param etag the version as the header {@code ETag} has it, if the revision was asked
 * for
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AdkSession(String id, String appName, String userId, Map<String, JsonText> state, Iterable<Event> events,
		@Nullable Iterable<Long> seqs, BigDecimal lastUpdateTime, @Nullable String displayName,
		@Nullable Map<String, String> labels, @Nullable ForkedFrom forkedFrom, @Nullable Long revision,
		@Nullable String etag) {

	static AdkSession from(Session session, @Nullable Boolean includeRevision) {
		return from(session, includeRevision, null);
	}

	/** The session, with the seqs of its events if they are asked for. */
	static AdkSession from(Session session, @Nullable Boolean includeRevision, @Nullable Boolean includeSeqs) {
		boolean asked = Boolean.TRUE.equals(includeRevision);
		SeqList seqs = Boolean.TRUE.equals(includeSeqs) ? new SeqList() : null;
		Iterator<Event> stored = session.events().iterator();
		Iterator<Event> events = (seqs != null) ? seqs.of(stored) : stored;
		return new AdkSession(session.key().sessionId(), session.key().appName(), session.key().userId(),
				session.state(), () -> events, seqs, Timestamps.toSeconds(session.lastUpdateTime()),
				session.details().displayName(), session.details().labels(), session.forkedFrom(),
				asked ? session.revision() : null, asked ? EntityTag.of(session.version()) : null);
	}

}
