package dev.agentsessions.postgres.lifecycle;

import static dev.agentsessions.postgres.lifecycle.OwnedTable.Duty.CODED;
import static dev.agentsessions.postgres.lifecycle.OwnedTable.Duty.DESCRIBED;
import static dev.agentsessions.postgres.lifecycle.OwnedTable.Duty.NONE;
import static dev.agentsessions.postgres.lifecycle.OwnedTable.Owner.SCOPE;
import static dev.agentsessions.postgres.lifecycle.OwnedTable.Owner.SCOPE_OF_USER;
import static dev.agentsessions.postgres.lifecycle.OwnedTable.Owner.SESSION;
import static dev.agentsessions.postgres.lifecycle.OwnedTable.Owner.SESSION_OF_USER;
import static dev.agentsessions.postgres.lifecycle.OwnedTable.Owner.USER;
import static dev.agentsessions.postgres.lifecycle.OwnedTable.of;

import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.lifecycle.OwnedTable.Owner;

/**
 * All tables whose rows have an owner, and what follows from their descriptions: one
 * statement for all tables that are found by the same keys.
 */
@Component
public class OwnedTables {

	/** Maximum number of rows of each table that one statement deletes. */
	public static final int MAX_BATCH_ROWS = 10_000;

	/** All tables; their duties are sweep, erasure, fork, rewind and transfer. */
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
		this.erasures = select((table) -> table.erasure() == DESCRIBED).stream().map(OwnedTable::deletion).toList();
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

}
