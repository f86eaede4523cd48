package dev.agentsessions.http;

import dev.agentsessions.session.SessionException;

/**
 * How large a body may be.
 *
 * @param bytes how many bytes it may have
 * @param setting the setting of the limit
 */
record BodyLimit(long bytes, String setting) {

	/** Refuses a body that has more. */
	void check(long length) {
		if (length > this.bytes) {
			throw new SessionException.PayloadTooLarge("The body", this.bytes, "bytes", this.setting);
		}
	}

}
