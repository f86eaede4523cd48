package dev.agentsessions.vertex.memory;

import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;

/** Refuses parts of the protocol that this service does not have. */
final class Unimplemented {

	private Unimplemented() {
	}

	/**
	 * Refuses a request that uses such a part.
	 * @param isUsed whether it does
	 * @param what the part, as the begin of a sentence
	 */
	static void check(boolean isUsed, String what) {
		if (isUsed) {
			throw new ResponseStatusException(HttpStatus.NOT_IMPLEMENTED, what + " is not implemented by this service");
		}
	}

}
