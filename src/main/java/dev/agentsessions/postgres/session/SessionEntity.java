package dev.agentsessions.postgres.session;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;

import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Embedded;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.hibernate.annotations.DynamicUpdate;
import org.hibernate.annotations.JdbcType;
import org.hibernate.dialect.type.PostgreSQLJsonPGObjectJsonType;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.postgres.Columns;
import dev.agentsessions.postgres.state.Scopes;
import dev.agentsessions.session.EventStream;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.Session.ForkedFrom;
import dev.agentsessions.session.Session.SessionVersion;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.lifecycle.LeaseService.Lease;

/**
 * A row of the table {@code sessions}. Every statement turns its rows into sessions with
 * it. Appends change the row without Hibernate.
 *
 * <p>
 * No field is JPA's {@code @Version}. {@code lastUpdateTime} cannot be it, because a
 * change of details or of a lease must not move it. An append compares revision or time
 * within its own statement; the other changes lock the row before they compare.
 */
@Entity
@DynamicUpdate
@Table(name = "sessions")
public class SessionEntity {

	/**
	 * The columns of the fields. A statement that reads <code>*</code> fails within a
	 * transaction after another replica has added a column.
	 */
	public static final String COLUMNS = "session_key, app_key, user_key, app_name, user_id, id, revision, create_time,"
			+ " last_update_time, " + DetailsColumns.NAMES
			+ ", details_revision, forked_from, lease, lease_holder, lease_end, lease_exclusive";

	/** Tags have nine digits. */
	private static final int MAX_DETAILS_REVISION = 999_999_999;

	@Id
	private UUID sessionKey;

	private UUID appKey;

	private UUID userKey;

	private String appName;

	private String userId;

	@Column(name = "id")
	private String sessionId;

	private long revision;

	private Instant createTime;

	private int detailsRevision;

	private Instant lastUpdateTime;

	@Embedded
	private @Nullable DetailsColumns details;

	@Embedded
	private @Nullable LeaseColumns lease;

	/** The session that it was forked from, in JSON. */
	@JdbcType(PostgreSQLJsonPGObjectJsonType.class)
	@Column(columnDefinition = "json")
	private @Nullable String forkedFrom;

	@NullUnmarked
	protected SessionEntity() {
	}

	/**
	 * Returns the session of a row that {@link FindSessionStatement} reads without
	 * Hibernate.
	 */
	static SessionEntity fromFindSessionRow(SessionName name, Scopes scopes, ResultSet row) throws SQLException {
		SessionEntity session = new SessionEntity();
		session.sessionKey = scopes.session();
		session.appKey = scopes.app();
		session.userKey = scopes.user();
		session.appName = name.appName();
		session.userId = name.userId();
		session.sessionId = name.sessionId();
		session.revision = row.getLong("revision");
		session.createTime = Columns.time(row, "create_time");
		session.lastUpdateTime = Columns.time(row, "last_update_time");
		session.detailsRevision = row.getInt("details_revision");
		session.details = DetailsColumns.read(row);
		session.forkedFrom = row.getString("forked_from");
		return session;
	}

	/** Returns the key of the session, which all of its rows have. */
	public UUID sessionKey() {
		return this.sessionKey;
	}

	/** Returns the scopes of the state that an agent sees in the session. */
	public Scopes scopes() {
		return new Scopes(this.appKey, this.userKey, this.sessionKey);
	}

	public SessionName name() {
		return new SessionName(this.appName, this.userId, this.sessionId);
	}

	public Instant createTime() {
		return this.createTime;
	}

	public Instant lastUpdateTime() {
		return this.lastUpdateTime;
	}

	public SessionDetails details() {
		return (this.details != null) ? this.details.toDetails() : SessionDetails.NONE;
	}

	public SessionVersion version() {
		return new SessionVersion(this.revision, this.sessionKey, this.lastUpdateTime, this.detailsRevision);
	}

	public Lease lease() {
		return (this.lease != null) ? this.lease.toLease() : Lease.NONE;
	}

	public void setLease(Lease changed) {
		this.lease = changed.equals(Lease.NONE) ? null : LeaseColumns.of(changed);
	}

	/**
	 * Changes the details. Their new number is random, because two histories of a session
	 * could count to the same number.
	 */
	public void updateDetails(SessionDetails change) {
		this.details = DetailsColumns.of(details().with(change));
		int other = ThreadLocalRandom.current().nextInt(1, MAX_DETAILS_REVISION);
		this.detailsRevision = (this.detailsRevision + other) % MAX_DETAILS_REVISION + 1;
	}

	/**
	 * Returns whether the session has expired.
	 * @param clock the time of the database; only asked if the session has an expiry
	 */
	boolean hasExpired(Supplier<Instant> clock) {
		Instant end = details().expireTime();
		return end != null && !end.isAfter(clock.get());
	}

	/** Returns about how many characters the row has. */
	public int size() {
		return this.userId.length() + this.sessionId.length() + ((this.details != null) ? this.details.size() : 0);
	}

	public Session toSession(Map<String, JsonText> state, EventStream events) {
		return new Session(name(), state, events, version(), this.createTime, details(), forkedFrom());
	}

	private @Nullable ForkedFrom forkedFrom() {
		return (this.forkedFrom != null) ? ForkedFrom.of(JsonObject.parse(this.forkedFrom)) : null;
	}

	/**
	 * The lease in the row of a session. All columns are null if the session never had
	 * one.
	 *
	 * @param number the number of the lease
	 * @param holder the name of the client that holds it
	 * @param end when it ends; {@code null} if it was released
	 * @param exclusive whether only the holder may append
	 */
	@Embeddable
	record LeaseColumns(@Column(name = "lease") long number, @Column(name = "lease_holder") @Nullable String holder,
			@Column(name = "lease_end") @Nullable Instant end,
			@Column(name = "lease_exclusive") @Nullable Boolean exclusive) {

		static LeaseColumns of(Lease lease) {
			return new LeaseColumns(lease.number(), lease.holder(), lease.end(),
					(lease.end() != null) ? lease.exclusive() : null);
		}

		Lease toLease() {
			return new Lease(this.number, this.holder, this.end, Boolean.TRUE.equals(this.exclusive));
		}

	}

}
