package dev.agentsessions.postgres.servers;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.postgresql.copy.CopyIn;
import org.postgresql.copy.CopyOperation;
import org.postgresql.copy.CopyOut;

import dev.agentsessions.postgres.lifecycle.OwnedTables;
import dev.agentsessions.postgres.lifecycle.OwnedTables.OwnedTable;
import dev.agentsessions.postgres.lifecycle.OwnedTables.OwnedTable.Duty;
import dev.agentsessions.postgres.lifecycle.OwnedTables.OwnedTable.Owner;
import dev.agentsessions.postgres.servers.MoveConnections.MoveConnection;

/**
 * Which rows of a server are those of a bucket.
 *
 * <p>
 * A row with the key of a user belongs to the bucket that is the first byte of the key. A
 * row with only the key of a session belongs to the bucket of the session's user. An
 * import or a fork that is not finished has rows under a key of {@code keys_to_sweep},
 * and no session yet. They count as rows of a session, so that the sweep of the server
 * that has the key finds them there. A key that has a session belongs to the bucket of
 * its user, whatever that table says: the daily look for rows without a session can read
 * rows that a move then deletes, and note their key.
 *
 * <p>
 * The state of a user and the state of an app cannot be told apart: each row has only a
 * key, a digest of names, and the user or the app may have no session. Every server has
 * the state of all apps; a new server gets it before its first bucket. So the rows whose
 * key begins with the byte of the bucket are copied, those of apps too, and replace those
 * of the target: else a value that a user has removed meanwhile would come back with the
 * bucket. On other servers, only the state of known users of the bucket is deleted: of
 * those with a session, an artifact, a fact or a key to sweep. The state of other users
 * stays there as well. No replica reads it, the next move to that server replaces it, and
 * an erasure of the user deletes it on every server.
 *
 * @param table the table that has the rows
 * @param condition the condition that they meet, in SQL
 */
record BucketRows(String table, String condition) {

	static final String SESSIONS = "sessions";

	static final String EVENTS = "events";

	private static final String KEYS_TO_SWEEP = "keys_to_sweep";

	private static final String OF_SESSIONS = "%s in (select session_key from bucket_sessions)";

	private static final String OF_KNOWN_USERS = "%s in (select user_key from bucket_users)";

	private static final String OF_NO_SESSION = """
			%2$s and not exists (select from sessions where session_key = %1$s)
			  and not exists (select from keys_to_sweep where session_key = %1$s)""";

	private static final String OF_NO_USER = "not exists (select from (%2$s) as users where user_key = %1$s)";

	/** Returns all rows that have to be on the server of the bucket. */
	static List<BucketRows> toCopy(int bucket) {
		List<BucketRows> rows = new ArrayList<>(ofOneUser(bucket));
		sharedTables().forEach((table) -> {
			String key = key(table);
			rows.add(new BucketRows(table.name(), OF_NO_SESSION.formatted(key, range(key, bucket))));
		});
		return rows;
	}

	/** Returns all rows that need not be on another server. */
	static List<BucketRows> toDelete(int bucket) {
		List<BucketRows> rows = new ArrayList<>(ofOneUser(bucket));
		sharedTables().forEach((table) -> rows.add(new BucketRows(table.name(), OF_KNOWN_USERS.formatted(key(table)))));
		return rows;
	}

	/**
	 * Returns the state of all apps, and of users who have nothing else, except keys in
	 * some buckets.
	 * @param apps the keys that surely are those of apps, whatever their buckets
	 */
	static List<BucketRows> ofApps(Collection<Integer> except, Collection<UUID> apps) {
		String keysOfApps = apps.stream().map(UUID::toString).collect(Collectors.joining(","));
		String users = "select user_key from sessions" + usersWithoutSession((key) -> "true");
		String others = OF_NO_USER + except.stream()
			.map((bucket) -> " and not (" + range("%1$s", bucket) + ")")
			.collect(Collectors.joining());
		return sharedTables().map((table) -> {
			String ofNoUser = others.formatted(key(table), users);
			return new BucketRows(table.name(), OF_NO_SESSION.formatted(key(table),
					"(%s or %s = any ('{%s}'::uuid[]))".formatted(ofNoUser, key(table), keysOfApps)));
		}).toList();
	}

	/**
	 * Looks up the sessions and the users of a bucket, within a transaction. All
	 * conditions of this class refer to them. So each of the statements need not look
	 * through all sessions, they can be executed in any order, and the planner knows how
	 * few sessions there are.
	 */
	static void find(MoveConnection server, int bucket) throws SQLException {
		String ofUser = range("user_key", bucket);
		server.execute("""
				create temporary table bucket_sessions on commit drop as
				select session_key, user_key from sessions where %1$s
				union all select session_key, user_key from keys_to_sweep where %1$s
				  and not exists (select from sessions where sessions.session_key = keys_to_sweep.session_key)"""
			.formatted(ofUser));
		server.execute("create temporary table bucket_users on commit drop as select user_key from bucket_sessions"
				+ usersWithoutSession((key) -> range(key, bucket)));
		server.execute("analyze bucket_sessions, bucket_users");
	}

	/** Returns whether a server has a session of some buckets, wherever they are. */
	static boolean hasSessions(MoveConnection server, List<Integer> buckets) throws SQLException {
		for (int bucket : buckets) {
			String sessions = "select exists (select from sessions where %s)".formatted(range("user_key", bucket));
			if (server.query(Boolean.class, sessions).get(0)) {
				return true;
			}
		}
		return false;
	}

	/** Adds to a query for users those who have an artifact or a fact. */
	private static String usersWithoutSession(UnaryOperator<String> condition) {
		return tables().filter(BucketRows::hasRowsOfUsersOnly)
			.map((table) -> " union select %s from %s where %s".formatted(key(table), table.name(),
					condition.apply(key(table))))
			.collect(Collectors.joining());
	}

	/** Returns the rows that surely belong to a user of the bucket. */
	private static List<BucketRows> ofOneUser(int bucket) {
		return Stream
			.concat(Stream.of(SESSIONS, KEYS_TO_SWEEP).map((table) -> new BucketRows(table, range("user_key", bucket))),
					tables().map((table) -> new BucketRows(table.name(), conditionOf(table, bucket))))
			.toList();
	}

	private static String conditionOf(OwnedTable table, int bucket) {
		String key = key(table);
		return switch (table.owner()) {
			case SESSION_OF_USER, SCOPE_OF_USER, USER -> range(key, bucket);
			case SESSION -> OF_SESSIONS.formatted(key);
			case SCOPE -> hasRowsOfSessions(table) ? OF_SESSIONS.formatted(key) : range(key, bucket);
		};
	}

	private static Stream<OwnedTable> tables() {
		return OwnedTables.ALL.stream();
	}

	/** Tables with rows of sessions, users and apps. */
	private static Stream<OwnedTable> sharedTables() {
		return tables().filter((table) -> table.owner() == Owner.SCOPE && hasRowsOfSessions(table));
	}

	private static boolean hasRowsOfSessions(OwnedTable table) {
		return table.sweep() != Duty.NONE;
	}

	/** Returns whether each row has the key of a user, or of a scope of facts. */
	private static boolean hasRowsOfUsersOnly(OwnedTable table) {
		return switch (table.owner()) {
			case SCOPE_OF_USER, USER -> true;
			case SCOPE -> !hasRowsOfSessions(table);
			case SESSION, SESSION_OF_USER -> false;
		};
	}

	/** Returns the statement that deletes the rows. */
	String deletion() {
		return "delete from %s where %s".formatted(this.table, this.condition);
	}

	private static String key(OwnedTable table) {
		return table.owner().columns().get(0);
	}

	/** Compares whole keys, so that indexes find them. */
	private static String range(String column, int bucket) {
		return "%1$s between '%2$02x000000-0000-0000-0000-000000000000' and '%2$02xffffff-ffff-ffff-ffff-ffffffffffff'"
			.formatted(column, bucket);
	}

	/**
	 * Copies rows from one server to another as text, which every version of PostgreSQL
	 * reads. No more than a few rows are in memory.
	 */
	static final class RowsCopy {

		/** Servers may have the same columns in another order. */
		private static final String COLUMNS = """
				select quote_ident(attname) from pg_attribute
				where attrelid = cast(? as regclass) and attnum > 0 and not attisdropped order by attnum
				""";

		private RowsCopy() {
		}

		/**
		 * Copies rows of which the target has none.
		 * @return the number of rows
		 */
		static long copy(BucketRows rows, MoveConnection source, MoveConnection target) throws SQLException {
			return copy(rows, rows.table(), columns(rows, source), source, target);
		}

		/**
		 * Copies rows that the target does not have, within a transaction of the target.
		 * @return the number of rows that it did not have
		 */
		static long copyMissing(BucketRows rows, MoveConnection source, MoveConnection target) throws SQLException {
			String columns = columns(rows, source);
			target.execute("create temporary table copied (like %s) on commit drop".formatted(rows.table()));
			copy(rows, "copied", columns, source, target);
			return target.execute("insert into %s (%s) select %2$s from copied on conflict do nothing"
				.formatted(rows.table(), columns));
		}

		private static String columns(BucketRows rows, MoveConnection source) throws SQLException {
			return String.join(", ", source.query(String.class, COLUMNS, rows.table()));
		}

		private static long copy(BucketRows rows, String to, String columns, MoveConnection source,
				MoveConnection target) throws SQLException {
			CopyOut out = source.copies()
				.copyOut("copy (select %s from %s where %s) to stdout".formatted(columns, rows.table(),
						rows.condition()));
			try {
				return pipe(out, target.copies().copyIn("copy %s (%s) from stdin".formatted(to, columns)));
			}
			catch (SQLException ex) {
				cancel(out, ex);
				throw ex;
			}
		}

		private static long pipe(CopyOut out, CopyIn in) throws SQLException {
			try {
				byte[] row = out.readFromCopy();
				while (row != null) {
					in.writeToCopy(row, 0, row.length);
					row = out.readFromCopy();
				}
				return in.endCopy();
			}
			catch (SQLException ex) {
				cancel(in, ex);
				throw ex;
			}
		}

		/** Without this, the connection could not roll back. */
		private static void cancel(CopyOperation copy, SQLException error) {
			try {
				if (copy.isActive()) {
					copy.cancelCopy();
				}
			}
			catch (SQLException ex) {
				error.addSuppressed(ex);
			}
		}

	}

}
