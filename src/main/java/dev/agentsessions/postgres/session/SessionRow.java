package dev.agentsessions.postgres.session;

import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.UUID;

import org.hibernate.id.uuid.UuidVersion7Strategy;
import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.StatementParameters;
import dev.agentsessions.session.EventStream;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.Session.ForkedFrom;
import dev.agentsessions.session.Session.SessionVersion;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.lifecycle.CreateSession;
import dev.agentsessions.session.lifecycle.Creations.Store.CreationId;
import dev.agentsessions.session.transfer.SessionImport.ImportedSession;

/**
 * The row of a new session.
 *
 * @param sessionKey its key, which no other session ever has
 * @param name its names
 * @param revision the number of its events
 * @param createTime when it was created, to the microsecond
 * @param detailsRevision identifies its details
 * @param lastUpdateTime when its newest event was stored
 * @param details its display name, labels and expiry
 * @param forkedFrom the session that it was forked from; {@code null} for none
 * @param creation identifies repetitions of the request that creates it; {@code null} if
 * there may be none
 */
public record SessionRow(UUID sessionKey, SessionName name, long revision, Instant createTime, int detailsRevision,
		Instant lastUpdateTime, SessionDetails details, @Nullable ForkedFrom forkedFrom,
		@Nullable CreationId creation) {

	/**
	 * Returns a new key: a UUID of version 7, which begins with the time. So the rows of
	 * new sessions, which are the busiest, lie close together in the tables and indexes.
	 */
	public static UUID newKey() {
		return UuidVersion7Strategy.INSTANCE.generateUuid(null);
	}

	/** Returns the row of a session that is created now. */
	public static SessionRow of(CreateSession request, Instant now) {
		return createdAt(now, newKey(), request.name(), request.events().size(),
				SessionDetails.NONE.with(request.details().at(now)), null, request.creation());
	}

	/**
	 * Returns the row of a session that is created with events. The commit time of each
	 * event is one microsecond after that of the event before.
	 */
	public static SessionRow createdAt(Instant now, UUID sessionKey, SessionName name, long revision,
			SessionDetails details, @Nullable ForkedFrom forkedFrom, @Nullable CreationId creation) {
		Instant createTime = now.truncatedTo(ChronoUnit.MICROS);
		return new SessionRow(sessionKey, name, revision, createTime, 0, createTime.plus(revision, ChronoUnit.MICROS),
				details, forkedFrom, creation);
	}

	/** Returns the row of an imported session. */
	public static SessionRow of(UUID sessionKey, ImportedSession imported) {
		return new SessionRow(sessionKey, imported.name(), imported.revision(), imported.createTime(),
				imported.detailsRevision(), imported.lastUpdateTime(), imported.details(), imported.forkedFrom(), null);
	}

	/** Returns the commit time of an event that the session is created with. */
	public Instant commitTimeOf(long seq) {
		return this.createTime.plus(seq, ChronoUnit.MICROS);
	}

	public UUID nameKey() {
		return ScopeKey.of(this.name);
	}

	public Session toSession(Map<String, JsonText> state, EventStream events) {
		return new Session(this.name, state, events,
				new SessionVersion(this.revision, this.sessionKey, this.lastUpdateTime, this.detailsRevision),
				this.createTime, this.details, this.forkedFrom);
	}

	/** Adds the columns in the order of {@code SessionInsert}. */
	public StatementParameters addTo(StatementParameters parameters) throws SQLException {
		parameters.addAll(this.sessionKey, nameKey(), ScopeKey.of(this.name.app()), ScopeKey.of(this.name.user()),
				this.name.appName(), this.name.userId(), this.name.sessionId(), this.revision, this.createTime,
				this.detailsRevision, this.lastUpdateTime,
				(this.forkedFrom != null) ? this.forkedFrom.toJson().text() : null,
				(this.creation != null) ? this.creation.value() : null);
		return DetailsColumns.add(this.details, parameters);
	}

}
