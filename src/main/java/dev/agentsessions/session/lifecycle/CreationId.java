package dev.agentsessions.session.lifecycle;

import java.util.UUID;

import dev.agentsessions.session.SessionException;

/**
 * Identifies a creation that may be requested several times.
 *
 * @param value a digest of the {@link IdempotencyKey} in the first half, and of the
 * content of the request in the second half
 */
public record CreationId(UUID value) {

	/**
	 * Returns whether a session comes from this creation.
	 * @param stored the id of the creation of the session
	 * @throws SessionException.AlreadyExists if the session comes from a request with the
	 * same key and other content
	 */
	public boolean isOf(CreationId stored, String sessionId) {
		if (!stored.equals(this) && stored.value.getMostSignificantBits() == this.value.getMostSignificantBits()) {
			throw SessionException.AlreadyExists.withOtherContent(sessionId);
		}
		return stored.equals(this);
	}

}
