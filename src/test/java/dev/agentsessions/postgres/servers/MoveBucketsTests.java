package dev.agentsessions.postgres.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.test.context.TestPropertySource;

import dev.agentsessions.postgres.NewDatabase;
import dev.agentsessions.postgres.lifecycle.OwnedTables;
import dev.agentsessions.postgres.servers.MoveCommand.Result;
import dev.agentsessions.support.Http;
import dev.agentsessions.support.HttpTest;

/**
 * Which rows the command moves, and that none is lost or comes back if it ends early. The
 * main server is that of a replica whose connections have another name, so that the
 * command does not refuse it. Each test has a bucket of its own.
 */
@HttpTest
@TestPropertySource(properties = "spring.datasource.hikari.data-source-properties.ApplicationName=test")
class MoveBucketsTests {

	private final Http http;

	private final JdbcTemplate jdbc;

	private final DriverManagerDataSource main;

	private final DriverManagerDataSource other;

	private final MoveCommand command;

	MoveBucketsTests(Http http, JdbcTemplate jdbc, JdbcConnectionDetails server) {
		this.http = http;
		this.jdbc = jdbc;
		this.main = new DriverManagerDataSource(server.getJdbcUrl(), String.valueOf(server.getUsername()),
				String.valueOf(server.getPassword()));
		this.other = NewDatabase.create(server);
		this.command = new MoveCommand(this.main, this.other);
	}

	@BeforeEach
	void migrate() {
		// The server b of another test was another database
		this.jdbc.update("delete from buckets");
		Flyway.configure().dataSource(this.other).load().migrate();
		// So that the columns are in another order
		new JdbcTemplate(this.other)
			.execute("alter table sessions drop column id, add column id text not null default ''");
	}

	/** The keys of all sessions begin with the byte of bucket 1. */
	@ParameterizedTest
	@ValueSource(ints = { 1, 200 })
	void movesAllRowsOfABucketAndBack(int number) {
		FilledBucket bucket = new FilledBucket(this.http, this.jdbc, number);
		Map<String, List<String>> before = Rows.all(this.main);
		Map<String, List<String>> moved = Rows.of(this.main, bucket.owners());
		Map<String, List<String>> stay = Rows.of(this.main, bucket.keysThatStay());
		Map<String, List<String>> everywhere = Rows.of(this.main, FilledBucket.everywhere());
		Map<String, List<String>> onOther = rowsAfterMove(bucket);
		assertThat(moved).containsKeys(OwnedTables.ALL.stream().map((table) -> table.name()).toArray(String[]::new))
			.allSatisfy((table, rows) -> assertThat(rows).as(table).isNotEmpty());

		Result there = move(bucket, "b");
		assertThat(there.out()).contains("Bucket %d is on b instead of main: 4 sessions, 5 events".formatted(number),
				"Moved 4 sessions and 5 events to b in");
		assertThat(Rows.all(this.other)).isEqualTo(onOther);
		assertThat(Rows.all(this.main)).isEqualTo(plus(minus(before, moved), stay));
		assertThat(servers(bucket)).containsExactly("b");

		move(bucket, "main");
		assertThat(Rows.all(this.main)).isEqualTo(before);
		assertThat(Rows.all(this.other)).isEqualTo(everywhere);
		assertThat(servers(bucket)).isEmpty();
	}

	@Test
	void bringsNothingBackThatWasRemovedMeanwhile() {
		FilledBucket bucket = new FilledBucket(this.http, this.jdbc, 60);
		Set<UUID> owners = bucket.owners();
		move(bucket, "b");
		new JdbcTemplate(this.other).update("update state set value = '1' where scope_key = ?", bucket.idle());
		new JdbcTemplate(this.other).update("update state set key = 'new' where scope_key = ?", bucket.idle());
		Map<String, List<String>> onOther = Rows.of(this.other, owners);
		assertThat(this.command.run("61", "b").exitCode()).isZero();
		assertThat(Rows.of(this.other, owners)).isEqualTo(onOther);
		move(bucket, "main");
		assertThat(Rows.of(this.main, owners)).isEqualTo(onOther);
	}

	/** It was restored from a backup, or without users and unknown to replicas. */
	@ParameterizedTest
	@CsvSource({ "100, 100", "110, 111" })
	void replacesStateOfAppsThatIsOlderThanOnTheMainServer(int number, String other) {
		FilledBucket bucket = new FilledBucket(this.http, this.jdbc, number);
		move(bucket, "b");
		this.jdbc.update("update state set value = '1' where scope_key = ?", bucket.app());
		new JdbcTemplate(this.other).update("insert into state values (?, 'removed', '1')", bucket.app());
		assertThat(this.command.run(other, "b").exitCode()).isZero();
		assertThat(Rows.of(this.other, Set.of(bucket.app()))).isEqualTo(Rows.of(this.main, Set.of(bucket.app())));
	}

	/** Before the first move, no table says which server is the main one. */
	@ParameterizedTest
	@ValueSource(strings = { "main", "b" })
	void deletesNothingIfTheSettingsExchangeTheServers(String to) {
		int number = to.equals("b") ? 120 : 125;
		new FilledBucket(this.http, this.jdbc, number);
		Map<String, List<String>> before = Rows.all(this.main);
		Result result = new MoveCommand(this.other, this.main).run(String.valueOf(number), to);
		assertThat(result.exitCode()).isEqualTo(1);
		assertThat(result.err()).contains("Server b has sessions of users of server main, which has none.");
		assertThat(Rows.all(this.main)).isEqualTo(before);
	}

	@Test
	void copiesNothingIfTheConnectionBreaks() {
		FilledBucket bucket = new FilledBucket(this.http, this.jdbc, 70);
		Map<String, List<String>> before = Rows.all(this.main);
		Trigger trigger = new Trigger(this.other, "insert on artifact_chunks",
				"perform pg_terminate_backend(pg_backend_pid())");
		assertFails(bucket, "connection");
		trigger.drop();
		assertThat(Rows.all(this.main)).isEqualTo(before);
		assertThat(Rows.all(this.other)).isEqualTo(Rows.of(this.main, FilledBucket.everywhere()));
		assertThat(servers(bucket)).isEmpty();
		assertMoves(bucket);
	}

	@Test
	void copiesAgainIfItEndedBeforeItNamedTheServer() {
		FilledBucket bucket = new FilledBucket(this.http, this.jdbc, 80);
		Map<String, List<String>> before = Rows.all(this.main);
		Trigger trigger = new Trigger(this.main, "insert on buckets", "raise exception 'broken'");
		assertFails(bucket, "ERROR: broken");
		trigger.drop();
		assertThat(Rows.all(this.main)).isEqualTo(before);
		assertThat(Rows.all(this.other)).isEqualTo(rowsAfterMove(bucket));
		assertThat(servers(bucket)).isEmpty();

		this.jdbc.update("delete from state where scope_key = ?", bucket.idle());
		this.jdbc.update("delete from memories where scope_key = ?", bucket.alice());
		this.jdbc.update("update sessions set display_name = 'new' where user_key = ?", bucket.alice());
		assertMoves(bucket);
	}

	@Test
	void deletesTheRestIfItEndedBeforeItDeleted() {
		FilledBucket bucket = new FilledBucket(this.http, this.jdbc, 90);
		Map<String, List<String>> before = Rows.all(this.main);
		Map<String, List<String>> moved = rowsAfterMove(bucket);
		Trigger trigger = new Trigger(this.main, "delete on artifacts", "raise exception 'broken'");
		assertFails(bucket, "ERROR: broken");
		trigger.drop();
		assertThat(Rows.all(this.main)).isEqualTo(before);
		assertThat(Rows.all(this.other)).isEqualTo(moved);
		assertThat(servers(bucket)).containsExactly("b");

		assertThat(move(bucket, "b").out()).contains("Bucket 90 is on b already.");
		assertThat(Rows.of(this.main, bucket.owners())).isEqualTo(Rows.of(this.main, bucket.keysThatStay()));
		assertThat(Rows.all(this.other)).isEqualTo(moved);
	}

	private void assertFails(FilledBucket bucket, String reason) {
		Result result = this.command.run(String.valueOf(bucket.bucket()), "b");
		assertThat(result.exitCode()).isEqualTo(1);
		assertThat(result.err()).contains("The move has failed: ", reason, "Repeat the command")
			.doesNotContain("\tat ");
	}

	private void assertMoves(FilledBucket bucket) {
		Map<String, List<String>> moved = rowsAfterMove(bucket);
		Map<String, List<String>> stay = Rows.of(this.main, bucket.keysThatStay());
		move(bucket, "b");
		assertThat(Rows.all(this.other)).isEqualTo(moved);
		assertThat(Rows.of(this.main, bucket.owners())).isEqualTo(stay);
	}

	private Map<String, List<String>> rowsAfterMove(FilledBucket bucket) {
		Set<UUID> owners = new HashSet<>(bucket.owners());
		owners.addAll(FilledBucket.everywhere());
		return Rows.of(this.main, owners);
	}

	private Result move(FilledBucket bucket, String to) {
		Result result = this.command.run(String.valueOf(bucket.bucket()), to);
		assertThat(result.err()).isEmpty();
		assertThat(result.exitCode()).isZero();
		return result;
	}

	private List<String> servers(FilledBucket bucket) {
		return this.jdbc.queryForList("select server from buckets where bucket = ?", String.class, bucket.bucket());
	}

	private static Map<String, List<String>> minus(Map<String, List<String>> all, Map<String, List<String>> some) {
		all = new TreeMap<>(all);
		all.replaceAll((table, rows) -> {
			List<String> rest = new ArrayList<>(rows);
			some.get(table).forEach(rest::remove);
			return rest;
		});
		return all;
	}

	private static Map<String, List<String>> plus(Map<String, List<String>> all, Map<String, List<String>> more) {
		all = new TreeMap<>(all);
		all.replaceAll((table, rows) -> {
			List<String> sum = new ArrayList<>(rows);
			sum.addAll(more.get(table));
			return sum.stream().sorted().toList();
		});
		return all;
	}

	/** Breaks a step of the command. */
	private static final class Trigger {

		private final JdbcTemplate jdbc;

		private final String table;

		/** Does something before each change of a table. */
		Trigger(DriverManagerDataSource server, String change, String action) {
			this.jdbc = new JdbcTemplate(server);
			this.table = change.substring(change.lastIndexOf(' '));
			this.jdbc.execute("create function break_it() returns trigger language plpgsql as $$ begin " + action
					+ "; return new; end $$");
			this.jdbc.execute("create trigger break_it before " + change + " for each row execute function break_it()");
		}

		void drop() {
			this.jdbc.execute("drop trigger break_it on" + this.table);
			this.jdbc.execute("drop function break_it");
		}

	}

}
