package dev.agentsessions.postgres.servers;

import java.sql.SQLException;

import org.postgresql.copy.CopyIn;
import org.postgresql.copy.CopyOperation;
import org.postgresql.copy.CopyOut;

/**
 * Copies rows from one server to another as text, which every version of PostgreSQL
 * reads. No more than a few rows are in memory.
 */
final class RowsCopy {

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
	static long copy(BucketRows rows, OfflineServer source, OfflineServer target) throws SQLException {
		return copy(rows, rows.table(), columns(rows, source), source, target);
	}

	/**
	 * Copies rows that the target does not have, within a transaction of the target.
	 * @return the number of rows that it did not have
	 */
	static long copyMissing(BucketRows rows, OfflineServer source, OfflineServer target) throws SQLException {
		String columns = columns(rows, source);
		target.execute("create temporary table copied (like %s) on commit drop".formatted(rows.table()));
		copy(rows, "copied", columns, source, target);
		return target.execute(
				"insert into %s (%s) select %2$s from copied on conflict do nothing".formatted(rows.table(), columns));
	}

	private static String columns(BucketRows rows, OfflineServer source) throws SQLException {
		return String.join(", ", source.query(String.class, COLUMNS, rows.table()));
	}

	private static long copy(BucketRows rows, String to, String columns, OfflineServer source, OfflineServer target)
			throws SQLException {
		CopyOut out = source.copies()
			.copyOut("copy (select %s from %s where %s) to stdout".formatted(columns, rows.table(), rows.condition()));
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
