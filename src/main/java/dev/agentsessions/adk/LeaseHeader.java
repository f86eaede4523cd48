package dev.agentsessions.adk;

import java.util.regex.Pattern;

import dev.agentsessions.session.SessionException;
import dev.agentsessions.web.ApiHeaders;

/** The HTTP header with which a request names the lease that it holds. */
public final class LeaseHeader {

	public static final String NAME = ApiHeaders.LEASE;

	private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");

	private LeaseHeader() {
	}

	/**
	 * Parses the header.
	 * @return the number of the lease
	 * @throws SessionException.InvalidArgument if the header is not a number
	 */
	public static long parse(String header) {
		String number = header.strip();
		if (!NUMBER.matcher(number).matches()) {
			throw new SessionException.InvalidArgument(NAME,
					"must be the number of a lease, as the answer to :acquire has it");
		}
		return Long.parseLong(number);
	}

}
