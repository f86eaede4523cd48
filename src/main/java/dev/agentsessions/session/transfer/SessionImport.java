package dev.agentsessions.session.transfer;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.AccessPolicy;
import dev.agentsessions.session.AccessPolicy.Access;
import dev.agentsessions.session.Secrets.CredentialMask;
import dev.agentsessions.session.Session.ForkedFrom;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionException.InvalidArgument;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.event.Limits;
import dev.agentsessions.session.event.NewEvent;
import dev.agentsessions.session.event.NewEvent.StateDeltas;
import dev.agentsessions.session.heap.ResponseHeap;
import dev.agentsessions.session.transfer.SessionImport.ImportedSession.ImportedEvent;
import dev.agentsessions.state.StateDelta;
import dev.agentsessions.state.StateDelta.RemovalMarker;

/**
 * An import: takes sessions one after the other, each with its initial state, its own
 * state and then its events, oldest first. A session is stored as a whole or not at all;
 * an existing session stays as it is.
 *
 * <p>
 * Events change no state here: the state is the exported one. So it may have keys that no
 * event has set, and old events do not reset shared state.
 */
public final class SessionImport {

	private final TransferService.Store store;

	private final AccessPolicy access;

	private final Limits limits;

	private final ResponseHeap memory;

	private final StateOwner owner;

	private final Instant now;

	private final ArtifactImport artifacts;

	private boolean renames;

	private @Nullable ImportTarget target;

	private @Nullable ImportedSession session;

	private Part part = Part.INITIAL_STATE;

	private long seq;

	private Instant commitTime = Instant.MIN;

	SessionImport(TransferService.Store store, AccessPolicy access, Limits limits, ResponseHeap memory,
			StateOwner owner, Instant now, ArtifactImport artifacts) {
		this.store = store;
		this.memory = memory;
		this.access = access;
		this.limits = limits;
		this.owner = owner;
		this.now = now;
		this.artifacts = artifacts;
	}

	/**
	 * Says whose sessions these were, before the first of them begins.
	 * @param appName the app; {@code null} if it is not known
	 * @param userId the user; {@code null} if each session belongs to the same user as
	 * before
	 */
	public void from(@Nullable String appName, @Nullable String userId) {
		this.artifacts.from(appName, userId);
		this.renames = isOther(appName, this.owner.appName()) || isOther(userId, this.owner.userId());
	}

	private static boolean isOther(@Nullable String before, @Nullable String now) {
		return before != null && now != null && !before.equals(now);
	}

	/**
	 * Adds keys to shared state. Existing keys stay as they are.
	 * @param values keys without prefix
	 */
	public StateMergeResult addState(StateOwner shared, StateDelta values) {
		if (shared.userId() == null) {
			this.access.check(Access.WRITE, shared);
		}
		check(values);
		Map<String, JsonText> existing = this.store.addState(shared, values.changes());
		int conflicts = differences(existing, values.changes());
		return new StateMergeResult(values.changes().size() - existing.size(), existing.size() - conflicts, conflicts);
	}

	/**
	 * Begins a session.
	 * @throws SessionException if it breaks a rule
	 * @throws ImportConflictException if another session has its name
	 */
	public void begin(ImportedSession next) {
		abandon();
		this.limits.check(next.details());
		next.checkTimes(this.now);
		this.memory.backTo(0);
		this.session = next;
		this.part = Part.INITIAL_STATE;
		this.seq = 0;
		this.commitTime = next.createTime();
		this.target = this.store.summary(next.name())
			.<ImportTarget>map((stored) -> new ImportTarget.ExistingSession(next, stored, null))
			.orElseGet(() -> new ImportTarget.NewSession(this.store, this.memory, next));
	}

	/**
	 * Adds keys of the own state that the session was created with.
	 * @throws SessionException if one breaks a rule
	 */
	public void addInitial(StateDelta ownState) {
		checkOrder(Part.INITIAL_STATE);
		check(ownState);
		target().addInitial(ownState.changes());
	}

	/**
	 * Adds keys of the own state of the session.
	 * @throws SessionException if one breaks a rule
	 */
	public void add(StateDelta ownState) {
		checkOrder(Part.STATE);
		check(ownState);
		target().add(ownState.changes());
	}

	/**
	 * Adds the next event of the session.
	 * @throws SessionException if it breaks a rule
	 */
	public void add(ImportedEvent event) {
		if (event.seq() != this.seq + 1) {
			throw new InvalidArgument("seq", "must be " + (this.seq + 1) + ", without a gap");
		}
		InvalidArgument.check(event.commitTime().isAfter(this.commitTime), "commitTime",
				"must be later than that of the event before");
		InvalidArgument.check(!event.event().partial(), "partial", "must not be true: such an event is never stored");
		checkNotMasked("event", event.event().body());
		checkOrder(Part.EVENTS);
		this.limits.check(List.of(event.event()));
		target().add(this.renames ? event.restored() : event);
		this.seq = event.seq();
		this.commitTime = event.commitTime();
	}

	/**
	 * Ends the session, which is stored from now on.
	 * @return whether it did not exist before
	 * @throws SessionException if it breaks a rule
	 * @throws ImportConflictException if another session has its name
	 */
	public boolean end() {
		ImportTarget ended = target();
		ImportedSession whole = Objects.requireNonNull(this.session);
		InvalidArgument.check(this.seq == whole.revision(), "revision",
				"must be the number of the events, " + this.seq);
		InvalidArgument.check(this.commitTime.equals(whole.lastUpdateTime()), "lastUpdateTime",
				"must be the commitTime of the newest event, or else createTime");
		boolean created = ended.end();
		this.target = null;
		return created;
	}

	/** Ends the import. From now on, sessions that it did not change are safe, too. */
	public void finish() {
		this.store.confirmReads(this.owner);
	}

	/** Drops a session or an artifact that is incomplete. */
	public void abandon() {
		this.artifacts.abandon();
		if (this.target != null) {
			this.target.abandon();
			this.target = null;
		}
	}

	/** Returns whether a session has begun and not ended. */
	public boolean isInSession() {
		return this.target != null;
	}

	/** Returns the import of artifacts, each after its session has ended. */
	public ArtifactImport artifacts() {
		return this.artifacts;
	}

	/** Returns the user or the app of this import. */
	public StateOwner owner() {
		return this.owner;
	}

	/** Checks the order of the lines: the keys that no event sets follow from it. */
	private void checkOrder(Part next) {
		InvalidArgument.check(next.compareTo(this.part) >= 0, "The state of a session",
				"must come before its events, and its initial state first");
		this.part = next;
	}

	private ImportTarget target() {
		return Objects.requireNonNull(this.target);
	}

	/** The limits of one request apply to one line of an export. */
	private void check(StateDelta state) {
		this.limits.check(state);
		state.changes().forEach((key, value) -> {
			StateDeltas.checkNoPrefix(key);
			checkNotMasked(key, new JsonObject("", Map.of(key, value)).toJson());
			InvalidArgument.check(!RemovalMarker.is(value), key, "must not be the removal marker in an import");
		});
	}

	/** An agent would send the mask in place of the secret. */
	private static void checkNotMasked(String field, JsonText value) {
		InvalidArgument.check(!CredentialMask.isIn(value), field, "must not have " + CredentialMask.MASK
				+ " in place of a secret: import an export that a caller with write access has made");
	}

	/** Returns the number of keys whose stored values differ from the imported ones. */
	private static int differences(Map<String, JsonText> existing, Map<String, JsonText> imported) {
		return (int) existing.entrySet()
			.stream()
			.filter((entry) -> !entry.getValue().isSameValueAs(imported.get(entry.getKey())))
			.count();
	}

	/** The parts of a session in the order of their lines. */
	private enum Part {

		INITIAL_STATE, STATE, EVENTS

	}

	/**
	 * The result of adding keys to shared state.
	 *
	 * @param created the number of keys that were new
	 * @param unchanged the number of keys that existed with the same value
	 * @param conflicts the number of keys that existed with another value, and kept it
	 */
	public record StateMergeResult(int created, int unchanged, int conflicts) {

	}

	/** An import conflicts with stored data. The message is written for the client. */
	public static final class ImportConflictException extends RuntimeException {

		/**
		 * Creates the exception.
		 * @param difference the difference, as a sentence
		 */
		public ImportConflictException(String difference) {
			super(difference, null, false, false);
		}

		@Override
		public String getMessage() {
			return Objects.requireNonNull(super.getMessage());
		}

	}

	/**
	 * A session from another store, without its events and its state.
	 *
	 * @param name its name in this store
	 * @param revision the number of its events
	 * @param createTime when it was created there, in microseconds
	 * @param detailsRevision the number of changes of its details there
	 * @param lastUpdateTime when its newest event was stored there, in microseconds
	 * @param details its display name, labels and expiry
	 * @param forkedFrom the session of which it began as a copy; {@code null} for none
	 */
	public record ImportedSession(SessionName name, long revision, Instant createTime, int detailsRevision,
			Instant lastUpdateTime, SessionDetails details, @Nullable ForkedFrom forkedFrom) {

		/** How far the clock of another store may be ahead. */
		private static final Duration MAX_CLOCK_SKEW = Duration.ofDays(1);

		public ImportedSession {
			createTime = createTime.truncatedTo(ChronoUnit.MICROS);
			lastUpdateTime = lastUpdateTime.truncatedTo(ChronoUnit.MICROS);
			InvalidArgument.check(revision >= 0, "revision", "must not be negative");
			InvalidArgument.check(detailsRevision >= 0, "detailsRevision", "must not be negative");
			InvalidArgument.check(!lastUpdateTime.isBefore(createTime), "lastUpdateTime",
					"must not be before createTime");
		}

		/**
		 * Checks its times.
		 * @param now the time of the store
		 * @throws SessionException.InvalidArgument if it has expired, or was changed in
		 * the future
		 */
		void checkTimes(Instant now) {
			Instant end = this.details.expireTime();
			InvalidArgument.check(end == null || end.isAfter(now), "expireTime",
					"must be in the future: the session has expired");
			InvalidArgument.check(!this.lastUpdateTime.isAfter(now.plus(MAX_CLOCK_SKEW)), "lastUpdateTime",
					"must not be more than a day in the future");
		}

		/**
		 * An event from another store.
		 *
		 * @param seq its seq
		 * @param commitTime when it was stored there, in microseconds
		 * @param event the event
		 */
		public record ImportedEvent(long seq, Instant commitTime, NewEvent event) {

			public ImportedEvent {
				commitTime = commitTime.truncatedTo(ChronoUnit.MICROS);
			}

			/** Returns the copy of the event for a session with another name. */
			ImportedEvent restored() {
				return new ImportedEvent(this.seq, this.commitTime, this.event.restored());
			}

		}

	}

}
