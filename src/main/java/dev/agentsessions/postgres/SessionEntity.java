package dev.agentsessions.postgres;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.UUID;

import jakarta.persistence.Column;
import jakarta.persistence.Embedded;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.hibernate.annotations.DynamicUpdate;
import org.hibernate.annotations.JdbcType;
import org.hibernate.dialect.type.PostgreSQLJsonPGObjectJsonType;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;
import org.springframework.data.domain.Persistable;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.CreateSession;
import dev.agentsessions.session.History;
import dev.agentsessions.session.Lease;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.SessionVersion;

/**
 * A row of the table {@code sessions}, and how it becomes a session, whoever reads it.
 * Appends change it behind Hibernate's back.
 */
@Entity
@DynamicUpdate
@Table(name = "sessions")
class SessionEntity implements Persistable<UUID> {

	@Id
	private UUID sessionKey;

	private UUID appKey;

	private UUID userKey;

	private String appName;

	private String userId;

	@Column(name = "id")
	private String sessionId;

	private long revision;

	/** Only a new row is given one; appends move it on. */
	private long notedSeq;

	private Instant createTime;

	private int detailsRevision;

	private Instant lastUpdateTime;

	private @Nullable Instant expireTime;

	private @Nullable String displayName;

	@JdbcType(PostgreSQLJsonPGObjectJsonType.class)
	@Column(columnDefinition = "json")
	private @Nullable Map<String, String> labels;

	@Embedded
	private @Nullable LeaseColumns lease;

	@Embedded
	private OriginColumns origin = OriginColumns.NEW;

	@NullUnmarked
	protected SessionEntity() {
	}

	private SessionEntity(SessionKey key, long revision, Instant createTime, Instant lastUpdateTime) {
		this.sessionKey = ScopeKey.of(key);
		this.appKey = ScopeKey.of(key.app());
		this.userKey = ScopeKey.of(key.user());
		this.appName = key.appName();
		this.userId = key.userId();
		this.sessionId = key.sessionId();
		this.revision = revision;
		this.createTime = createTime;
		this.lastUpdateTime = lastUpdateTime;
	}

	/** The row of a new session. */
	static SessionEntity of(CreateSession request, Instant now) {
		Instant createTime = now.truncatedTo(ChronoUnit.MICROS);
		long revision = request.events().size();
		SessionEntity session = new SessionEntity(request.key(), revision, createTime,
				createTime.plus(revision, ChronoUnit.MICROS));
		session.notedSeq = revision;
		session.set(SessionDetails.NONE.with(request.details().at(now)));
		return session;
	}

	/**
	 * A row that {@link FindStatement} has read, without Hibernate. Its columns are those
	 * of the events that follow it: the display name stands for the id, the labels for
	 * the body.
	 */
	static SessionEntity of(SessionKey key, ResultSet row) throws SQLException {
		SessionEntity session = new SessionEntity(key, row.getLong("seq"), Columns.time(row, "create_time"),
				Columns.time(row, "commit_time"));
		session.detailsRevision = row.getInt("details_revision");
		session.expireTime = Columns.timeOrNull(row, "expire_time");
		session.displayName = row.getString("id");
		session.labels = Columns.textsOrNull(row, "body");
		session.origin = new OriginColumns(false, row.getString("forked_from"));
		return session;
	}

	/** When an event that is stored together with the session counts as committed. */
	Instant commitTimeOf(long seq) {
		return this.createTime.plus(seq, ChronoUnit.MICROS);
	}

	@Override
	public UUID getId() {
		return this.sessionKey;
	}

	/** Only a new row is ever given to {@code persist}; read ones are managed. */
	@Override
	public boolean isNew() {
		return true;
	}

	/**
	 * Whose states it shows: the app's, the user's and its own, which is the last to be
	 * read.
	 */
	UUID[] scopeKeys() {
		return new UUID[] { this.appKey, this.userKey, this.sessionKey };
	}

	SessionKey key() {
		return new SessionKey(this.appName, this.userId, this.sessionId);
	}

	Instant lastUpdateTime() {
		return this.lastUpdateTime;
	}

	SessionVersion version() {
		return new SessionVersion(this.revision, this.createTime, this.detailsRevision);
	}

	boolean isInitialStateKept() {
		return this.origin.initialStateKept();
	}

	boolean meets(Precondition precondition) {
		return precondition.holds(version(), this.lastUpdateTime);
	}

	Lease lease() {
		return (this.lease != null) ? this.lease.toLease() : Lease.NONE;
	}

	void setLease(Lease changed) {
		this.lease = changed.equals(Lease.NONE) ? null : LeaseColumns.of(changed);
	}

	void updateDetails(SessionDetails change) {
		set(details().with(change));
		this.detailsRevision++;
	}

	private void set(SessionDetails details) {
		this.displayName = details.displayName();
		this.labels = details.labels();
		this.expireTime = details.expireTime();
	}

	/** About how many characters it has. */
	int size() {
		return this.userId.length() + this.sessionId.length() + String.valueOf(this.labels).length()
				+ String.valueOf(this.displayName).length();
	}

	Session toSession(Map<String, JsonText> state, History events) {
		return new Session(key(), state, events, version(), this.lastUpdateTime, details(), this.origin.toForkedFrom());
	}

	private SessionDetails details() {
		return new SessionDetails(this.displayName, this.labels, this.expireTime);
	}

}
