package dev.agentsessions.postgres.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;

import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.lifecycle.OwnedTables.OwnedTable;
import dev.agentsessions.postgres.lifecycle.OwnedTables.OwnedTable.Duty;
import dev.agentsessions.postgres.lifecycle.OwnedTables.OwnedTable.Owner;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;

/**
 * Which tables have an owner, and that their rows go with it. A table of this test has
 * nothing but a description.
 */
@HttpTest
@Import(OwnedTablesTests.Notes.class)
@TestInstance(Lifecycle.PER_CLASS)
class OwnedTablesTests {

	private static final String TABLES = """
			select relname::text as name, (
			  select string_agg(attname, ',' order by array_position(indkey::int2[], attnum)) from pg_attribute
			  where attrelid = indrelid and attnum = any (indkey[0:indnkeyatts - 1])) as key, (
			  select string_agg(attname, ',' order by attnum) from pg_attribute
			  where attrelid = indrelid and attnum > 0 and not attisdropped) as columns
			from pg_class join pg_index on indrelid = pg_class.oid and indisprimary
			where relkind = 'r' and relnamespace = 'public'::regnamespace
			""";

	/** Tables of the owners themselves, and tables without an owner. */
	private static final List<String> OTHERS = List.of("sessions", "keys_to_sweep", "secrets", "signed_out_cookies",
			"buckets", "replicas", "app_state_changes", "flyway_schema_history");

	private static final String SCRIPT = "deploy/citus/afterMigrate__distribute.sql";

	private static final String USERS = "/apps/owned/users/";

	private final Http http;

	private final JdbcTemplate jdbc;

	private final OwnedTables tables;

	OwnedTablesTests(Http http, JdbcTemplate jdbc, OwnedTables tables) {
		this.http = http;
		this.jdbc = jdbc;
		this.tables = tables;
	}

	@BeforeAll
	void createTable() {
		this.jdbc.execute("create table notes (user_key uuid, session_key uuid, number int, note text, "
				+ "primary key (user_key, session_key, number))");
	}

	@AfterAll
	void dropTable() {
		this.jdbc.execute("drop table notes");
	}

	@Test
	void describesEachTable() {
		List<Table> found = this.jdbc
			.query(TABLES, (row, number) -> new Table(row.getString(1), row.getString(2), row.getString(3)))
			.stream()
			.filter((table) -> !OTHERS.contains(table.name))
			.toList();
		assertThat(this.tables.select((table) -> true))
			.extracting((table) -> table.name() + ": " + String.join(",", key(table)))
			.containsExactlyInAnyOrderElementsOf(found.stream().map((table) -> table.name + ": " + table.key).toList());
		assertThat(this.tables.select((table) -> table.fork() == Duty.DESCRIBED)).allSatisfy((table) -> {
			List<String> copied = new ArrayList<>(key(table));
			copied.addAll(table.values());
			assertThat(found).filteredOn((one) -> one.name.equals(table.name()))
				.singleElement()
				.satisfies((one) -> assertThat(copied).containsExactlyInAnyOrder(one.columns.split(",")));
		});
	}

	/**
	 * That a table has no duty is said twice, so that a duty of a new table is not
	 * forgotten.
	 */
	@Test
	void haveNoDutyOnlyIfThisIsMeant() {
		assertThat(without(OwnedTable::sweep)).containsExactlyInAnyOrder("memories", "forgotten");
		assertThat(without(OwnedTable::erasureWithoutSession)).containsExactlyInAnyOrder("events", "initial_state",
				"pending_calls", "said", "said_vectors", "said_sessions");
		assertThat(without(OwnedTable::fork)).containsExactlyInAnyOrder("said", "said_vectors", "said_sessions",
				"memories", "forgotten", "artifact_blobs", "artifact_chunks");
		assertThat(without(OwnedTable::rewind)).containsExactlyInAnyOrder("events", "initial_state", "said",
				"said_vectors", "said_sessions", "memories", "forgotten", "artifact_blobs", "artifact_chunks");
		assertThat(without(OwnedTable::transfer)).containsExactlyInAnyOrder("pending_calls", "said", "said_vectors",
				"said_sessions", "memories", "forgotten");
	}

	private static List<String> without(Function<OwnedTable, Duty> duty) {
		return OwnedTables.ALL.stream()
			.filter((table) -> duty.apply(table) == Duty.NONE)
			.map(OwnedTable::name)
			.toList();
	}

	private static List<String> key(OwnedTable table) {
		return Stream.concat(table.owner().columns().stream(), table.order().stream()).toList();
	}

	@Test
	void areAllDistributedOnCitusByTheFirstColumn() throws Exception {
		String query = Files.readString(Path.of(SCRIPT)).replaceAll("(?s).*?for one in\\n(.*?)  loop.*", "$1");
		List<String> distributed = this.jdbc.query(query,
				(row, number) -> row.getString(1) + " by " + row.getString(2));
		assertThat(distributed.get(0)).isEqualTo("sessions by session_key");
		assertThat(distributed).containsAll(this.tables.select((table) -> true)
			.stream()
			.map((table) -> table.name() + " by " + table.owner().columns().get(0))
			.toList());
		assertThat(distributed).noneMatch((table) -> table.matches("(secrets|signed_out|flyway).*"));
	}

	@Test
	void goWithTheirSessionAndTheirUser() {
		User alice = new User("alice");
		UUID one = fill(alice);
		assertThat(this.tables.select((table) -> true))
			.allSatisfy((table) -> assertThat(rows(table, alice, one)).isNotEmpty());

		assertThat(this.http.post(alice.path("/sessions/one:fork"), "{\"sessionId\": \"two\"}").status())
			.isEqualTo(201);
		UUID two = session(alice, "two");
		assertThat(this.tables.select((table) -> table.fork() != Duty.NONE))
			.allSatisfy((table) -> assertThat(rows(table, two)).isNotEmpty());

		this.http.delete(alice.path("/sessions/one"));
		assertThat(this.tables.select((table) -> table.sweep() != Duty.NONE && table.owner() != Owner.USER))
			.allSatisfy((table) -> assertThat(rows(table, one)).isEmpty());

		this.http.delete(alice.path(""));
		assertThat(this.tables.select((table) -> true))
			.allSatisfy((table) -> assertThat(rows(table, alice, two)).isEmpty());
	}

	/** Only what has no duty is as before, but for the event that rewinds. */
	@Test
	void areTakenBackByARewind() {
		User bob = new User("bob");
		UUID one = fill(bob);
		Map<String, List<String>> before = new HashMap<>();
		this.tables.select((table) -> true).forEach((table) -> before.put(table.name(), rows(table, bob, one)));
		this.http.post(bob.path("/sessions/one:rewind"), "{\"beforeInvocationId\": \"i\"}").ok();
		assertThat(this.tables.select((table) -> table.rewind() == Duty.NONE))
			.allSatisfy((table) -> assertThat(rows(table, bob, one)).containsAll(before.get(table.name())));
		assertThat(this.tables.select((table) -> table.rewind() != Duty.NONE))
			.allSatisfy((table) -> assertThat(rows(table, bob, one)).isNotEqualTo(before.get(table.name())));
	}

	@Test
	void comeBackByAnImport() {
		User carol = new User("carol");
		UUID exportedOne = fill(carol);
		Map<String, List<Integer>> before = new HashMap<>();
		this.tables.select((table) -> true)
			.forEach((table) -> before.put(table.name(), count(table, carol, exportedOne)));
		String exported = this.http.get(carol.path(":export")).body();
		this.http.delete(carol.path(""));
		this.http
			.send("POST", carol.path(":import"), BodyPublishers.ofString(exported), "Content-Type",
					"application/x-ndjson")
			.ok();
		UUID one = session(carol, "one");
		assertThat(this.tables.select((table) -> table.transfer() != Duty.NONE))
			.allSatisfy((table) -> assertThat(count(table, carol, one)).isEqualTo(before.get(table.name())));
	}

	/** Writes rows of each table, and returns the key of a session. */
	private UUID fill(User user) {
		this.http.post(user.path("/sessions/one"), "{\"state\": {\"color\": \"red\", \"user:city\": \"Ulm\"}}").ok();
		this.http
			.post(user.path("/sessions/one/events"),
					"""
							{"id": "e1", "author": "model", "invocationId": "i", "longRunningToolIds": ["c1"], "content": {"parts": [
							  {"text": "a red house"}, {"functionCall": {"id": "c1", "name": "ask", "args": {}}}]},
							  "actions": {"stateDelta": {"color": "blue"}}}""")
			.ok();
		assertThat(this.http.post(user.path("/memories"), "{\"text\": \"likes red\"}").status()).isEqualTo(201);
		this.http.get(user.path("/events:search?q=red")).ok();
		save(user.path("/sessions/one/artifacts/plan"));
		save(user.path("/artifacts/user:map"));
		UUID session = session(user, "one");
		this.jdbc.update("insert into forgotten (scope_key, same, until) values (?, 1, now())", user.key());
		this.jdbc.update("insert into said_vectors (user_key, session_key, turn, model, v) values (?, ?, 1, 'm', '')",
				user.key(), session);
		this.jdbc.update("insert into notes values (?, ?, 1, 'a'), (?, ?, 2, 'b')", user.key(), session, user.key(),
				session);
		return session;
	}

	private void save(String artifact) {
		this.http.send("PUT", artifact, BodyPublishers.ofString(artifact), "Content-Type", "text/csv").ok();
	}

	private UUID session(User user, String id) {
		return this.jdbc.queryForObject("select session_key from sessions where user_key = ? and id = ?", UUID.class,
				user.key(), id);
	}

	/** Returns the rows of a session, and those of its user without a session. */
	private List<String> rows(OwnedTable table, User user, UUID session) {
		return Stream.concat(rows(table, session).stream(), rows(table, user.key()).stream()).toList();
	}

	private List<Integer> count(OwnedTable table, User user, UUID session) {
		return List.of(rows(table, session).size(), rows(table, user.key()).size());
	}

	private List<String> rows(OwnedTable table, UUID owner) {
		List<String> columns = table.owner().columns();
		return this.jdbc.queryForList("select row_of::text from %s as row_of where %s = ? order by 1"
			.formatted(table.name(), columns.get(columns.size() - 1)), String.class, owner);
	}

	private record User(String name) {

		UUID key() {
			return ScopeKey.of(new StateOwner("owned", this.name));
		}

		String path(String rest) {
			return USERS + this.name + rest;
		}

	}

	/**
	 * A table as the database has it.
	 *
	 * @param key the columns of the primary key
	 */
	private record Table(String name, String key, String columns) {
	}

	@TestConfiguration
	static class Notes {

		@Bean
		OwnedTable notes() {
			return OwnedTable
				.of("notes", Owner.SESSION_OF_USER, "number", Duty.DESCRIBED, Duty.NONE, Duty.DESCRIBED, Duty.NONE,
						Duty.NONE)
				.copying("note");
		}

	}

}
