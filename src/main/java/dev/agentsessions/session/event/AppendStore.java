package dev.agentsessions.session.event;

import java.util.List;
import java.util.Optional;

import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.artifact.RestoredArtifacts;

/**
 * Appends events: the part of the contract of a store
 * ({@link dev.agentsessions.session.lifecycle.SessionStore}) that every turn of an agent
 * needs.
 */
public interface AppendStore {

	/**
	 * Appends an event and applies its delta. If the session has an event with its id
	 * already, the append is a replay if the content is the same, and a conflict if not,
	 * whatever the precondition says.
	 * @throws SessionException.NotFound if there is no such session
	 * @throws SessionException.EventIdConflict if an event with other content has its id
	 * @throws SessionException.Stale if the precondition does not hold
	 */
	AppendResult append(SessionKey key, AppendRequest append);

	/**
	 * Appends events, all or none, in their order. Events that the session has already
	 * are replays, as with {@link #append}. The precondition must hold if at least one of
	 * them is not a replay.
	 * @param events at least one, none of them partial, no two with the same id
	 * @throws SessionException.NotFound if there is no such session
	 * @throws SessionException.EventIdConflict if an event with other content has one of
	 * the ids
	 * @throws SessionException.Stale if the precondition does not hold
	 */
	BatchAppendResult appendAll(SessionKey key, List<NewEvent> events, Precondition precondition);

	/**
	 * Appends an event and saves the versions of artifacts that it names, both or
	 * nothing.
	 * @return the result; empty if the precondition does not hold, or if others have
	 * changed artifacts meanwhile
	 * @throws SessionException.NotFound if there is no such session
	 * @throws SessionException.EventIdConflict if another event has its id
	 */
	Optional<AppendResult> appendRestoring(SessionKey key, AppendRequest append, RestoredArtifacts artifacts);

}
