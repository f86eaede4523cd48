package dev.agentsessions.session.transfer;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.manage.SessionStore;

/**
 * What a store has to offer so that sessions can leave it and come back with their times:
 * the part of its contract that only exports and imports need. The promises of
 * {@link SessionStore} hold here, too.
 */
public interface TransferStore {

	/** The time of the store, by which sessions end. */
	Instant now();

	/**
	 * The user of an app who follows another one, in an order that is the same wherever
	 * the same users are; only users who have a session count.
	 * @param behind the user before, {@code null} for the first one
	 */
	Optional<String> nextUser(String appName, @Nullable String behind);

	/**
	 * Ids of sessions of a user, in their order, some at a time.
	 * @param behind the id before, blank for the first ones
	 */
	List<String> sessionIds(StateOwner user, String behind);

	/** Reads a session with all its events and only its own state. */
	Optional<Session> find(SessionKey key);

	/**
	 * Reads the own state with which a session began.
	 * @param birth which session it is
	 * @throws SessionException.NotFound if it is gone
	 */
	Map<String, JsonText> initialState(UUID birth);

	/** By what a session is compared with an imported one; empty if there is none. */
	Optional<Summary> summary(SessionKey key);

	/** Reads shared state, keys without prefix. */
	Map<String, JsonText> state(StateOwner owner);

	/**
	 * Adds keys to shared state, but changes none that is there.
	 * @return the values of the keys that were there
	 */
	Map<String, JsonText> addState(StateOwner owner, Map<String, JsonText> values);

	/**
	 * Begins to store a session that is too large to be stored at once. No request finds
	 * it before it is finished. If that never happens, the store removes what there is of
	 * it.
	 * @return what the next calls need: the birth of the session
	 */
	UUID begin(StateOwner user);

	/**
	 * Stores a further piece of a session that was begun.
	 * @throws SessionException.InvalidArgument if two events have the same id
	 * @throws ImportConflictException if the user was erased meanwhile, or an hour has
	 * passed since the last call
	 */
	void add(SessionKey key, UUID birth, ImportChunk piece);

	/**
	 * Stores the last piece, and makes it a session.
	 * @param birth what {@link #begin} has answered; {@code null} if the piece is the
	 * whole session
	 * @param initialKeys keys of its own state that it began with as they are, beside the
	 * initial state of the pieces
	 * @throws SessionException.AlreadyExists if there is one with its names
	 * @throws SessionException.InvalidArgument if two events have the same id
	 * @throws ImportConflictException if the user was erased meanwhile, or an hour has
	 * passed since the last call
	 */
	void finish(ImportedSession session, @Nullable UUID birth, ImportChunk piece, Collection<String> initialKeys);

	/** Removes what there is of a session that was begun and is not finished. */
	void abandon(UUID birth);

	/**
	 * What tells a session from others with its name.
	 *
	 * @param revision the number of its events
	 * @param createTime when it was created
	 * @param lastEventId the id of its newest event; {@code null} if it has none
	 */
	record Summary(long revision, Instant createTime, @Nullable String lastEventId) {
	}

}
