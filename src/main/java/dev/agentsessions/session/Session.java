package dev.agentsessions.session;

import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonStrings;
import dev.agentsessions.json.JsonText;

/**
 * A session as it was at one moment.
 *
 * @param name its name
 * @param state the merged state, shared keys with their prefix; empty if the caller did
 * not ask for it
 * @param events the requested events, oldest first
 * @param version its version
 * @param createTime when it was created, in microseconds; for an imported session, when
 * it was created in its first store
 * @param details display name, labels and expiry
 * @param forkedFrom the session of which it began as a copy; {@code null} for none
 */
public record Session(SessionName name, Map<String, JsonText> state, EventStream events, SessionVersion version,
		Instant createTime, SessionDetails details, @Nullable ForkedFrom forkedFrom) {

	/** Returns the session with its events in another representation. */
	public Session withEvents(UnaryOperator<Event> mapper) {
		return seen(this.state, this.events.map(mapper), this.details);
	}

	Session seen(Map<String, JsonText> newState, EventStream newEvents, SessionDetails newDetails) {
		return new Session(this.name, newState, newEvents, this.version, this.createTime, newDetails, this.forkedFrom);
	}

	/** Returns the number of events that the session ever got. */
	public long revision() {
		return this.version.revision();
	}

	/** Returns when its newest event was stored, in microseconds. */
	public Instant lastUpdateTime() {
		return this.version.lastUpdateTime();
	}

	/**
	 * Returns the key of the session, which no later session with the same name has.
	 */
	public UUID sessionKey() {
		return this.version.sessionKey();
	}

	/**
	 * The session of which another session of the same user began as a copy.
	 *
	 * @param sessionId its id; it may be deleted, and another session may have the id
	 * @param seq the seq of the last copied event, 0 if none was copied
	 */
	public record ForkedFrom(String sessionId, long seq) {

		private static final String SESSION_ID = "sessionId";

		private static final String SEQ = "seq";

		public ForkedFrom {
			Identifiers.check("forkedFrom.sessionId", sessionId);
		}

		/** Reads the result of {@link #toJson}. */
		public static ForkedFrom of(JsonObject json) {
			return new ForkedFrom(json.requiredString(SESSION_ID), json.required(SEQ).wholeNumber(json.pathOf(SEQ)));
		}

		/** Returns both values as an object. */
		public JsonText toJson() {
			return new JsonText(
					"{\"%s\":%s,\"%s\":%d}".formatted(SESSION_ID, JsonStrings.quote(this.sessionId), SEQ, this.seq));
		}

	}

	/**
	 * One version of one session. No two sessions have a version in common, whatever
	 * their keys and however they were created. Neither have two histories of one
	 * session: after a restore, or a failover that has lost the newest event, the next
	 * event gets the same revision but another time.
	 *
	 * @param revision the number of events that the session got
	 * @param sessionKey the identity of the session: created when the session is created,
	 * forked or imported, and never used again. In the database, it is the
	 * {@code session_key} of all rows of the session
	 * @param lastUpdateTime when its newest event was stored, strictly increasing, in
	 * microseconds
	 * @param detailsRevision identifies its details: 0 until they are changed for the
	 * first time, then another random number after each change
	 */
	public record SessionVersion(long revision, UUID sessionKey, Instant lastUpdateTime, int detailsRevision) {

		/** Returns the version of the same session right after an event. */
		public SessionVersion at(long seq, Instant commitTime) {
			return new SessionVersion(seq, this.sessionKey, commitTime, this.detailsRevision);
		}

	}

}
