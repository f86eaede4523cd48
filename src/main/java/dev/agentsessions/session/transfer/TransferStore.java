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
import dev.agentsessions.session.lifecycle.SessionStore;

/**
 * Exports and imports sessions with their times: the part of the contract of a store that
 * only transfers need. The guarantees of {@link SessionStore} hold here, too.
 */
public interface TransferStore {

	/** Returns the time of the store, which decides when sessions expire. */
	Instant now();

	/**
	 * Returns the user of an app that follows another one, in an order that is the same
	 * wherever the same users are. Only users that have a session count.
	 * @param after the user before, {@code null} for the first one
	 */
	Optional<String> nextUser(String appName, @Nullable String after);

	/**
	 * Returns some ids of sessions of a user, in their order.
	 * @param after the id before, blank for the first ones
	 */
	List<String> sessionIds(StateOwner user, String after);

	/** Reads a session with all its events and only its own state. */
	Optional<Session> find(SessionKey key);

	/**
	 * Reads the own state with which a session began.
	 * @param birth which session it is
	 * @throws SessionException.NotFound if it is gone
	 */
	Map<String, JsonText> initialState(UUID birth);

	/**
	 * Returns values to compare a stored session with an imported one; empty if there is
	 * none.
	 */
	Optional<Summary> summary(SessionKey key);

	/**
	 * Waits until everything that was read before is stored as safely as a write. A
	 * request that finds its work done already has to wait for this.
	 */
	void confirmReads();

	/** Reads shared state, keys without prefix. */
	Map<String, JsonText> state(StateOwner owner);

	/**
	 * Adds keys to shared state, but changes no existing one.
	 * @return the values of the existing keys
	 */
	Map<String, JsonText> addState(StateOwner owner, Map<String, JsonText> values);

	/**
	 * Begins to store a session that is too large to be stored at once. No request finds
	 * it before it is finished. If that never happens, the store removes it.
	 * @return the birth of the session, for the next calls
	 */
	UUID begin(StateOwner user);

	/**
	 * Stores the next chunk of a session that was begun.
	 * @throws SessionException.InvalidArgument if two events have the same id
	 * @throws ImportConflictException if the user was erased meanwhile, or an hour has
	 * passed since the last call
	 */
	void add(SessionKey key, UUID birth, ImportChunk chunk);

	/**
	 * Stores the last chunk, and makes the data a session.
	 * @param birth the result of {@link #begin}; {@code null} if the chunk is the whole
	 * session
	 * @param initialKeys keys of its own state whose values are also initial state,
	 * besides the initial state of the chunks
	 * @throws SessionException.AlreadyExists if there is one with its key
	 * @throws SessionException.InvalidArgument if two events have the same id
	 * @throws ImportConflictException if the user was erased meanwhile, or an hour has
	 * passed since the last call
	 */
	void finish(ImportedSession session, @Nullable UUID birth, ImportChunk chunk, Collection<String> initialKeys);

	/** Removes the data of a session that was begun and is not finished. */
	void abandon(UUID birth);

	/**
	 * Identifies a session among others with the same key.
	 *
	 * @param revision the number of its events
	 * @param createTime when it was created
	 * @param lastEventId the id of its newest event; {@code null} if it has none
	 */
	record Summary(long revision, Instant createTime, @Nullable String lastEventId) {
	}

}
