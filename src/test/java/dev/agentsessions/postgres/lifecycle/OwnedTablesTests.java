package dev.agentsessions.postgres.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
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
import dev.agentsessions.postgres.lifecycle.OwnedTable.Duty;
import dev.agentsessions.postgres.lifecycle.OwnedTable.Owner;
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
			"flyway_schema_history");

	private static final String SCRIPT = "deploy/citus/afterMigrate__distribute.sql";

	private static final String ALICE = "/apps/owned/users/alice";

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
		UUID user = ScopeKey.of(new StateOwner("owned", "alice"));
		UUID one = fill(user);
		assertThat(this.tables.select((table) -> true))
			.allSatisfy((table) -> assertThat(rows(table, user, one) + rows(table, user, user)).isPositive());

		assertThat(this.http.post(ALICE + "/sessions/one:fork", "{\"sessionId\": \"two\"}").status()).isEqualTo(201);
		UUID two = session("two");
		assertThat(this.tables.select((table) -> table.fork() != Duty.NONE && table.owner() != Owner.USER))
			.allSatisfy((table) -> assertThat(rows(table, user, two)).isPositive());

		this.http.delete(ALICE + "/sessions/one");
		assertThat(this.tables.select((table) -> table.sweep() != Duty.NONE && table.owner() != Owner.USER))
			.allSatisfy((table) -> assertThat(rows(table, user, one)).isZero());

		this.http.delete(ALICE);
		assertThat(this.tables.select((table) -> true)).allSatisfy((table) -> {
			assertThat(rows(table, user, user)).isZero();
			assertThat(rows(table, user, two)).isZero();
		});
	}

	/** Writes rows of each table, and returns the key of a session. */
	private UUID fill(UUID user) {
		this.http.post(ALICE + "/sessions/one", "{\"state\": {\"color\": \"red\", \"user:city\": \"Ulm\"}}").ok();
		this.http
			.post(ALICE + "/sessions/one/events",
					"""
							{"id": "e1", "author": "model", "invocationId": "i", "longRunningToolIds": ["c1"], "content": {"parts": [
							  {"text": "a red house"}, {"functionCall": {"id": "c1", "name": "ask", "args": {}}}]}}""")
			.ok();
		assertThat(this.http.post(ALICE + "/memories", "{\"text\": \"likes red\"}").status()).isEqualTo(201);
		this.http.get(ALICE + "/events:search?q=red").ok();
		this.http
			.send("PUT", ALICE + "/sessions/one/artifacts/plan", BodyPublishers.ofString("plan"), "Content-Type",
					"text/csv")
			.ok();
		this.http.send("PUT", ALICE + "/artifacts/user:map", BodyPublishers.ofString("map"), "Content-Type", "text/csv")
			.ok();
		UUID session = session("one");
		this.jdbc.update("insert into forgotten (scope_key, same, until) values (?, 1, now())", user);
		this.jdbc.update("insert into said_vectors (user_key, session_key, turn, model, v) values (?, ?, 1, 'm', '')",
				user, session);
		this.jdbc.update("insert into notes values (?, ?, 1, 'a'), (?, ?, 2, 'b')", user, session, user, session);
		return session;
	}

	private UUID session(String id) {
		return this.jdbc.queryForObject("select session_key from sessions where app_name = 'owned' and id = ?",
				UUID.class, id);
	}

	/** Counts the rows of a session, or those of a user without a session. */
	private long rows(OwnedTable table, UUID user, UUID scope) {
		return this.jdbc
			.queryForObject("select count(*) from %s where %s".formatted(table.name(), switch (table.owner()) {
				case USER -> "user_key = ?1";
				case SESSION -> "session_key = ?2";
				case SCOPE -> "scope_key = ?2";
				case SESSION_OF_USER -> "user_key = ?1 and session_key = ?2";
				case SCOPE_OF_USER -> "user_key = ?1 and scope_key = ?2";
			}).replace("?1", "'" + user + "'").replace("?2", "'" + scope + "'"), Long.class);
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
