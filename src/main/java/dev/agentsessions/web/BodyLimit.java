package dev.agentsessions.web;

import jakarta.servlet.http.HttpServletRequest;
import org.springframework.http.HttpHeaders;

import dev.agentsessions.session.SessionException;

/**
 * The size limit of the body of a request.
 *
 * @param bytes the maximum size in bytes, at most 1 GB
 * @param setting the name of the setting with the limit
 */
public record BodyLimit(long bytes, String setting) {

	/** Returns whether the body of a request is compressed. Its size may then expand. */
	public static boolean isGzip(HttpServletRequest request) {
		String encoding = request.getHeader(HttpHeaders.CONTENT_ENCODING);
		return encoding != null && encoding.strip().equalsIgnoreCase("gzip");
	}

	/**
	 * Refuses a body that is larger than the limit.
	 * @param length the size of the body in bytes
	 * @throws SessionException.TooLarge if the body is larger
	 */
	public void check(long length) {
		if (length > this.bytes) {
			throw new SessionException.TooLarge("The body", this.bytes, "bytes", this.setting);
		}
	}

}
