package dev.agentsessions.postgres.lifecycle;

import java.time.Instant;
import java.util.UUID;

import jakarta.persistence.Tuple;
import org.hibernate.query.NativeQuery;

import dev.agentsessions.session.lifecycle.SessionQuery.Position;

/**
 * A session of a list whose events may be examined.
 *
 * @param sessionKey its key
 * @param position its position in the list
 * @param revision its newest event
 */
record Candidate(UUID sessionKey, Position position, long revision) {

	/** The beginning of a statement that reads candidates. */
	static final String COLUMNS = "select session_key, revision, user_id, last_update_time, id";

	static NativeQuery<Tuple> typed(NativeQuery<Tuple> select) {
		return select.addScalar("session_key", UUID.class)
			.addScalar("revision", Long.class)
			.addScalar("user_id", String.class)
			.addScalar("last_update_time", Instant.class)
			.addScalar("id", String.class);
	}

	static Candidate of(Tuple row) {
		return new Candidate(
				row.get("session_key", UUID.class), new Position(row.get("user_id", String.class),
						row.get("last_update_time", Instant.class), row.get("id", String.class)),
				row.get("revision", Long.class));
	}

	/**
	 * Returns whether a page began within this session, and ended there before it was
	 * done.
	 */
	boolean isAt(Position other) {
		return this.position.equals(new Position(other.userId(), other.time(), other.sessionId()));
	}

	/** Returns the position of this session when the events up to a seq remain. */
	Position upTo(long seq) {
		return new Position(this.position.userId(), this.position.time(), this.position.sessionId(), seq);
	}

}
