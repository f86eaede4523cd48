package dev.agentsessions.session;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import dev.agentsessions.json.JsonText;

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
	 * Reads the own state with which the session that was created at a time began; empty
	 * if it is not known.
	 * @throws SessionException.NotFound if this session is gone
	 */
	Optional<Map<String, JsonText>> initialState(SessionKey key, Instant createTime);

	/** Reads shared state, keys without prefix. */
	Map<String, JsonText> state(StateOwner owner);

	/**
	 * Adds keys to shared state, but changes none that is there.
	 * @return the values of the keys that were there
	 */
	Map<String, JsonText> addState(StateOwner owner, Map<String, JsonText> values);

	/**
	 * Stores a session as it was elsewhere, all at once.
	 * @throws SessionException.AlreadyExists if there is one with its names
	 * @throws SessionException.InvalidArgument if two events have the same id
	 */
	void create(ImportedSession session, ImportedPiece piece);

	/**
	 * Begins to store a session that is too large to be stored at once. Nobody finds it
	 * before it is finished. If that never happens, the store removes what there is of
	 * it.
	 * @throws SessionException.AlreadyExists if there is one with its names
	 */
	ImportLease begin(SessionKey key);

	/**
	 * Stores a further piece of a session that was begun.
	 * @return what the next call needs
	 * @throws SessionException.InvalidArgument if two events have the same id
	 * @throws ImportConflictException if somebody has removed the session
	 */
	ImportLease add(SessionKey key, ImportLease lease, ImportedPiece piece);

	/**
	 * Stores the last piece, and lets the session be found.
	 * @throws SessionException.InvalidArgument if two events have the same id
	 * @throws ImportConflictException if somebody has removed the session
	 */
	void finish(ImportedSession session, ImportLease lease, ImportedPiece piece);

	/**
	 * Removes what there is of a session that was begun, unless somebody else has removed
	 * or begun it since.
	 */
	void abandon(SessionKey key, ImportLease lease);

}
