package dev.agentsessions.postgres;

/** Fragments of SQL that several statements share. */
public final class Sql {

	/** Whether a row of {@code sessions} has not expired. */
	public static final String LIVE = "(expire_time is null or expire_time > statement_timestamp())";

	/** Whether a session has the event of a point, if its time is known. */
	public static final String HAS_POINT = "(?::timestamptz is null or exists ("
			+ "select from events where session_key = ? and seq = ? and commit_time = ?))";

	/** The columns of {@code events} in the order of an insert. */
	public static final String EVENT_COLUMNS = "session_key, seq, commit_time, id, invocation_id, author, time, kind, size, body";

	/**
	 * Replaces an escaped backslash for a moment; JSON cannot contain this character
	 * unescaped.
	 */
	private static final String BACKSLASH = "chr(1)";

	/**
	 * The body of an event in which no character is escaped by its number. The JSON
	 * functions of PostgreSQL fail if the JSON contains a text that PostgreSQL cannot
	 * have, such as <code>&#92;u0000</code>, anywhere. So the backslash of such an escape
	 * is escaped, and {@link #plain} reverses this.
	 */
	public static final String NEUTRAL_BODY = "replace(replace(replace(body::text, '\\\\', " + BACKSLASH
			+ "), '\\u', '\\\\u'), " + BACKSLASH + ", '\\\\\\\\')";

	/** The end of a condition that a row of the table {@code events} matches a filter. */
	public static final String MATCHES_FILTER = """
			and (?::timestamptz is null or time >= ?)
			and (?::text is null or author = ?)
			and (?::text is null or invocation_id = ?)
			""";

	private Sql() {
	}

	/** Reverses {@link #NEUTRAL_BODY} in JSON that is a part of such a body. */
	public static String plain(String json) {
		return "replace(replace(replace(" + json + ", '\\\\\\\\', " + BACKSLASH + "), '\\\\u', '\\u'), " + BACKSLASH
				+ ", '\\\\')";
	}

}
