package dev.agentsessions.web;

import dev.agentsessions.session.SessionException;

/**
 * How large a body may be.
 *
 * @param bytes how many bytes it may have, at most a gigabyte
 * @param setting the setting of the limit
 */
public record BodyLimit(long bytes, String setting) {

	public BodyLimit {
		HttpProperties.check(bytes <= HttpProperties.LARGEST_BODY.toBytes(), setting + " must be at most 1GB");
	}

	/** Refuses a body that has more. */
	public void check(long length) {
		if (length > this.bytes) {
			throw new SessionException.TooLarge("The body", this.bytes, "bytes", this.setting);
		}
	}

}
