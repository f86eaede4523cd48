package dev.agentsessions.postgres;

/** Fragments of SQL that several statements share. */
public final class Sql {

	/** Whether a row of {@code sessions} has not expired. */
	public static final String LIVE = "(expire_time is null or expire_time > statement_timestamp())";

	/** The columns of {@code events} in the order of an insert. */
	public static final String EVENT_COLUMNS = "session_key, seq, commit_time, id, invocation_id, author, time, kind, size, body";

	private Sql() {
	}

}
