package dev.agentsessions.postgres.lifecycle;

import static dev.agentsessions.postgres.lifecycle.OwnedTables.OwnedTable.Duty.CODED;
import static dev.agentsessions.postgres.lifecycle.OwnedTables.OwnedTable.Duty.DESCRIBED;
import static dev.agentsessions.postgres.lifecycle.OwnedTables.OwnedTable.Duty.NONE;
import static dev.agentsessions.postgres.lifecycle.OwnedTables.OwnedTable.Owner.SCOPE;
import static dev.agentsessions.postgres.lifecycle.OwnedTables.OwnedTable.Owner.SCOPE_OF_USER;
import static dev.agentsessions.postgres.lifecycle.OwnedTables.OwnedTable.Owner.SESSION;
import static dev.agentsessions.postgres.lifecycle.OwnedTables.OwnedTable.Owner.SESSION_OF_USER;
import static dev.agentsessions.postgres.lifecycle.OwnedTables.OwnedTable.Owner.USER;
import static dev.agentsessions.postgres.lifecycle.OwnedTables.OwnedTable.of;

import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.lifecycle.OwnedTables.OwnedTable.Owner;

/**
 * All tables whose rows have an owner, and what follows from their descriptions: one
 * statement for all tables that are found by the same keys.
 */
@Component
public class OwnedTables {

	/** Maximum number of rows of each table that one statement deletes. */
	public static final int MAX_BATCH_ROWS = 10_000;

	/**
	 * All tables; their duties are sweep, erasure of what is in no session, fork, rewind
	 * and transfer.
	 */
	public static final List<OwnedTable> ALL = List.of(
			// Large: about a thousand in a transaction
			of("events", SESSION, "seq", CODED, NONE, CODED, NONE, CODED),
			// Other sessions write it, so an erasure locks the keys in their order
			of("state", SCOPE, "key", DESCRIBED, CODED, CODED, CODED, CODED),
			of("initial_state", SESSION, "key", DESCRIBED, NONE, DESCRIBED, NONE, CODED).copying("value"),
			// A fork has those that waited at its last event; an import finds them in its
			// events
			of("pending_calls", SESSION, "call_id, seq, since_seq", DESCRIBED, NONE, CODED, CODED, NONE),
			// The next search makes the index again
			of("said", SESSION_OF_USER, "turn", DESCRIBED, NONE, NONE, NONE, NONE),
			of("said_vectors", SESSION_OF_USER, "turn", DESCRIBED, NONE, NONE, NONE, NONE),
			of("said_sessions", SESSION_OF_USER, "", DESCRIBED, NONE, NONE, NONE, NONE),
			// What a user is to remember, whatever becomes of sessions
			of("memories", SCOPE, "id", NONE, DESCRIBED, NONE, NONE, NONE),
			of("forgotten", SCOPE, "same", NONE, DESCRIBED, NONE, NONE, NONE),
			of("artifacts", SCOPE_OF_USER, "name", CODED, CODED, CODED, CODED, CODED),
			of("artifact_versions", SCOPE_OF_USER, "name, version", CODED, CODED, CODED, CODED, CODED),
			// A fork has the same bytes, and so has what a rewind brings back
			of("artifact_blobs", USER, "blob_key", CODED, CODED, NONE, NONE, CODED),
			of("artifact_chunks", USER, "blob_key, number", CODED, CODED, NONE, NONE, CODED));

	private final JdbcClient jdbc;

	private final List<OwnedTable> tables;

	private final List<String> sweeps;

	private final List<String> erasures;

	private final List<String> copies;

	OwnedTables(JdbcClient jdbc, ObjectProvider<OwnedTable> others) {
		this.jdbc = jdbc;
		this.tables = Stream.concat(ALL.stream(), others.orderedStream()).toList();
		this.sweeps = Stream.of(Owner.values())
			.map((owner) -> select((table) -> table.owner() == owner && table.sweep() == DESCRIBED))
			.filter((tables) -> !tables.isEmpty())
			.map(OwnedTables::sweepOf)
			.toList();
		this.erasures = select((table) -> table.erasureWithoutSession() == DESCRIBED).stream()
			.map(OwnedTable::deletion)
			.toList();
		this.copies = select((table) -> table.fork() == DESCRIBED).stream().map(OwnedTable::copy).toList();
	}

	/** Returns the tables that meet a condition. */
	public List<OwnedTable> select(Predicate<OwnedTable> condition) {
		return this.tables.stream().filter(condition).toList();
	}

	/**
	 * Deletes a batch of the described rows of a removed session, within a transaction.
	 * @return whether all of them are deleted
	 */
	public boolean sweep(UUID user, UUID session) {
		return this.sweeps.stream()
			.mapToLong((sql) -> rows(sql, user, session).param("limit", MAX_BATCH_ROWS).query(Long.class).single())
			.max()
			.orElse(0) < MAX_BATCH_ROWS;
	}

	/**
	 * Deletes the described rows of a user that belong to no session, within a
	 * transaction.
	 */
	public void erase(UUID user) {
		this.erasures.forEach((sql) -> rows(sql, user, user).update());
	}

	/** Copies the described rows of a session to its fork, within a transaction. */
	public void fork(UUID user, UUID source, UUID target) {
		this.copies.forEach((sql) -> rows(sql, user, source).param("target", target).update());
	}

	private StatementSpec rows(String sql, UUID user, UUID scope) {
		return this.jdbc.sql(sql).param("user", user).param("scope", scope);
	}

	/**
	 * Returns a statement that deletes a batch of each table, and returns the most rows
	 * of one.
	 */
	private static String sweepOf(List<OwnedTable> tables) {
		String batches = tables.stream()
			.map((table) -> "batch_of_%s as (%s returning 1)".formatted(table.name(), table.deletionOfBatch()))
			.collect(Collectors.joining(",\n"));
		String counts = tables.stream()
			.map((table) -> "(select count(*) from batch_of_%s)".formatted(table.name()))
			.collect(Collectors.joining(", "));
		return "with %s%nselect greatest(%s)".formatted(batches, counts);
	}

	/**
	 * A table whose rows belong to a session, a user or an app, and what it owes to them.
	 *
	 * @param name its name
	 * @param owner whose the rows are
	 * @param order the columns of the primary key after those of the owner, in whose
	 * order writers lock rows
	 * @param values the columns that a fork copies in addition, if the description says
	 * how
	 * @param sweep what deletes the rows of a removed session
	 * @param erasureWithoutSession what deletes the rows that belong to a user and to no
	 * session
	 * @param fork what copies the rows to a fork
	 * @param rewind what takes the rows back
	 * @param transfer what exports and imports the rows
	 */
	public record OwnedTable(String name, Owner owner, List<String> order, List<String> values, Duty sweep,
			Duty erasureWithoutSession, Duty fork, Duty rewind, Duty transfer) {

		/** Describes a table of which no values are copied. */
		static OwnedTable of(String name, Owner owner, String order, Duty sweep, Duty erasureWithoutSession, Duty fork,
				Duty rewind, Duty transfer) {
			return new OwnedTable(name, owner, order.isEmpty() ? List.of() : List.of(order.split(", ")), List.of(),
					sweep, erasureWithoutSession, fork, rewind, transfer);
		}

		/** Returns the same description, with columns that a fork copies. */
		OwnedTable copying(String... values) {
			return new OwnedTable(this.name, this.owner, this.order, List.of(values), this.sweep,
					this.erasureWithoutSession, this.fork, this.rewind, this.transfer);
		}

		/** Returns the statement that deletes all rows of an owner. */
		String deletion() {
			return "delete from " + this.name + " where " + this.owner.condition;
		}

		/**
		 * Returns the statement that deletes the first rows of an owner. They are a range
		 * of keys: with a list of keys, PostgreSQL may compare each row with each key
		 * while its statistics say that the table is small.
		 */
		String deletionOfBatch() {
			if (this.order.isEmpty()) {
				return deletion();
			}
			return """
					%1$s and (%2$s) <= (
					  select %2$s from (
					    select %2$s from %3$s where %4$s order by %2$s limit :limit) as batch
					  order by %5$s desc limit 1)""".formatted(deletion(), String.join(", ", this.order), this.name,
					this.owner.condition, String.join(" desc, ", this.order));
		}

		/** Returns the statement that copies all rows of a session to another one. */
		String copy() {
			List<String> columns = Stream.of(this.owner.columns, this.order, this.values)
				.flatMap(List::stream)
				.toList();
			String scope = this.owner.columns.get(this.owner.columns.size() - 1);
			return "insert into %s (%s) select %s from %1$s where %s%s".formatted(this.name, String.join(", ", columns),
					columns.stream()
						.map((column) -> column.equals(scope) ? ":target" : column)
						.collect(Collectors.joining(", ")),
					this.owner.condition, this.order.isEmpty() ? "" : " order by " + String.join(", ", this.order));
		}

		/**
		 * Returns whether a row says which session it belongs to, if it belongs to one.
		 */
		public boolean namesSession() {
			return this.owner == Owner.SESSION || this.owner == Owner.SESSION_OF_USER
					|| this.owner == Owner.SCOPE_OF_USER;
		}

		/** How a table does its duty to an owner. */
		public enum Duty {

			/** As {@link OwnedTables} does it for each table with this description. */
			DESCRIBED,

			/** In code of its own. */
			CODED,

			/**
			 * There is none: the table has no rows of this owner, or its rows follow from
			 * other tables.
			 */
			NONE

		}

		/**
		 * Whose the rows are, by the first columns of the primary key. On Citus, the
		 * first one decides where a row is.
		 */
		public enum Owner {

			/** A session. */
			SESSION("session_key = :scope", "session_key"),

			/** A session, whose rows are where its user's are. */
			SESSION_OF_USER("user_key = :user and session_key = :scope", "user_key", "session_key"),

			/** A session, a user or an app. */
			SCOPE("scope_key = :scope", "scope_key"),

			/** A session or a user, whose rows are where the user's are. */
			SCOPE_OF_USER("user_key = :user and scope_key = :scope", "user_key", "scope_key"),

			/** A user. */
			USER("user_key = :user", "user_key");

			private final String condition;

			private final List<String> columns;

			Owner(String condition, String... columns) {
				this.condition = condition;
				this.columns = List.of(columns);
			}

			/** Returns the first columns of the primary key. */
			public List<String> columns() {
				return this.columns;
			}

		}

	}

}
