package dev.agentsessions.postgres.lifecycle;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A table whose rows belong to a session, a user or an app, and what it owes to them.
 *
 * @param name its name
 * @param owner whose the rows are
 * @param order the columns of the primary key after those of the owner, in whose order
 * writers lock rows
 * @param values the columns that a fork copies in addition, if the description says how
 * @param sweep what deletes the rows of a removed session
 * @param erasure what deletes the rows that belong to a user and to no session
 * @param fork what copies the rows to a fork
 * @param rewind what takes the rows back
 * @param transfer what exports and imports the rows
 */
public record OwnedTable(String name, Owner owner, List<String> order, List<String> values, Duty sweep, Duty erasure,
		Duty fork, Duty rewind, Duty transfer) {

	/** Describes a table of which no values are copied. */
	static OwnedTable of(String name, Owner owner, String order, Duty sweep, Duty erasure, Duty fork, Duty rewind,
			Duty transfer) {
		return new OwnedTable(name, owner, order.isEmpty() ? List.of() : List.of(order.split(", ")), List.of(), sweep,
				erasure, fork, rewind, transfer);
	}

	/** Returns the same description, with columns that a fork copies. */
	OwnedTable copying(String... values) {
		return new OwnedTable(this.name, this.owner, this.order, List.of(values), this.sweep, this.erasure, this.fork,
				this.rewind, this.transfer);
	}

	/** Returns the statement that deletes all rows of an owner. */
	String deletion() {
		return "delete from " + this.name + " where " + this.owner.condition;
	}

	/**
	 * Returns the statement that deletes the first rows of an owner. They are a range of
	 * keys: with a list of keys, PostgreSQL may compare each row with each key while its
	 * statistics say that the table is small.
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
		List<String> columns = Stream.of(this.owner.columns, this.order, this.values).flatMap(List::stream).toList();
		String scope = this.owner.columns.get(this.owner.columns.size() - 1);
		return "insert into %s (%s) select %s from %1$s where %s%s".formatted(this.name, String.join(", ", columns),
				columns.stream()
					.map((column) -> column.equals(scope) ? ":target" : column)
					.collect(Collectors.joining(", ")),
				this.owner.condition, this.order.isEmpty() ? "" : " order by " + String.join(", ", this.order));
	}

	/** Returns whether a row says which session it belongs to, if it belongs to one. */
	public boolean namesSession() {
		return this.owner == Owner.SESSION || this.owner == Owner.SESSION_OF_USER || this.owner == Owner.SCOPE_OF_USER;
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
	 * Whose the rows are, by the first columns of the primary key. On Citus, the first
	 * one decides where a row is.
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
