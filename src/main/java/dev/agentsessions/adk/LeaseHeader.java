package dev.agentsessions.adk;

import java.util.regex.Pattern;

import dev.agentsessions.session.SessionException;

/** The HTTP header by which a request says under which lease it comes. */
public final class LeaseHeader {

	public static final String NAME = "Lease";

	private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");

	private LeaseHeader() {
	}

	/**
	 * Reads the header.
	 * @return the number of the lease
	 * @throws SessionException.InvalidArgument if it is no number
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
