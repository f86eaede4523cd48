package dev.agentsessions.session.lifecycle;

import java.util.Optional;
import java.util.UUID;

import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;

/** Recognises repeated creations. */
public interface CreationStore {

	/**
	 * Finds the session that a creation has made. The creation is stored as safely as a
	 * write when the method returns.
	 * @return the key of the session; empty if there is no session with this name, or it
	 * comes from another creation
	 * @throws SessionException.AlreadyExists if it comes from a request with the same key
	 * and other content
	 */
	Optional<UUID> find(SessionName name, CreationId creation);

	/**
	 * Identifies a creation that may be requested several times.
	 *
	 * @param value a digest of the {@link IdempotencyKey} in the first half, and of the
	 * content of the request in the second half
	 */
	record CreationId(UUID value) {

		/**
		 * Returns whether a session comes from this creation.
		 * @param stored the id of the creation of the session
		 * @throws SessionException.AlreadyExists if the session comes from a request with
		 * the same key and other content
		 */
		public boolean isOf(CreationId stored, String sessionId) {
			if (!stored.equals(this) && stored.value.getMostSignificantBits() == this.value.getMostSignificantBits()) {
				throw SessionException.AlreadyExists.withOtherContent(sessionId);
			}
			return stored.equals(this);
		}

	}

}
