package dev.agentsessions.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariConfigMXBean;
import com.zaxxer.hikari.HikariDataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jdbc.DataSourceUnwrapper;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import dev.agentsessions.AgentSessionsApplication;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.Session;
import dev.agentsessions.session.SessionDetails;
import dev.agentsessions.session.SessionDetails.Expiry;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.contract.Events;
import dev.agentsessions.session.contract.Sessions;
import dev.agentsessions.session.contract.Stores;
import dev.agentsessions.session.lifecycle.CreateSession;
import dev.agentsessions.state.StateDelta;

/**
 * A database that its administrator has set up in another way: with another default
 * isolation, with a clock that is ahead of ours, and for a while read-only.
 */
@PostgresTest
class DatabaseSettingsTests {

	private static final Duration AHEAD = Duration.ofDays(10);

	private static final String SET = "do $$ begin execute format('alter database %%I set %s', current_database()); end $$";

	private static ConfigurableApplicationContext service;

	private static JdbcTemplate administrator;

	private static Stores store;

	@BeforeAll
	static void start(@Autowired JdbcConnectionDetails server) {
		DriverManagerDataSource database = NewDatabase.create(server);
		administrator = new JdbcTemplate(database);
		administrator.execute("create schema clock");
		administrator.execute("create function clock.statement_timestamp() returns timestamptz language sql stable as"
				+ " $$ select pg_catalog.statement_timestamp() + interval '10 days' $$");
		set("search_path = public, clock, pg_catalog");
		set("default_transaction_isolation = 'repeatable read'");
		service = new SpringApplicationBuilder(AgentSessionsApplication.class).web(WebApplicationType.NONE)
			.run("--spring.datasource.url=" + database.getUrl(),
					"--spring.datasource.username=" + database.getUsername(),
					"--spring.datasource.password=" + database.getPassword(), "--spring.flyway.default-schema=public",
					"--spring.flyway.schemas=public");
		store = Stores.of(service);
	}

	@AfterAll
	static void stop() {
		service.close();
	}

	private static void set(String setting) {
		administrator.execute(SET.formatted(setting.replace("'", "''")));
	}

	@Test
	void connectionsHaveTheNameOfTheService() {
		assertThat(administrator.queryForList(
				"select distinct application_name from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
				String.class))
			.containsExactly("agent-sessions");
	}

	@Test
	void storesWhatManyAppendToOneSessionWhateverTheDefaultIsolation() throws Exception {
		SessionName name = store.create(Sessions.empty(Sessions.newKey())).name();
		assertThat(Concurrently.run(60, (number) -> append(name, number))).containsOnly(false);
		assertThat(store.find(name, EventWindow.NONE).orElseThrow().revision()).isEqualTo(60);
	}

	/** Whether it was there before. */
	private static boolean append(SessionName name, int number) {
		String delta = "{\"k\":%1$d,\"app:k\":%1$d}".formatted(number);
		return switch (number % 3) {
			case 0 -> store.append(name, Events.append(Events.delta(delta))).replayed();
			case 1 -> store.appendAll(name, List.of(Events.delta(delta)), Precondition.NONE).replayed();
			default -> store
				.append(name, Events.append(Events
					.event("{\"filler\":\"%s\",\"actions\":{\"stateDelta\":%s}}".formatted("x".repeat(70_000), delta))))
				.replayed();
		};
	}

	@Test
	void stampsSessionsByTheClockOfTheDatabase() {
		Instant before = Instant.now().plus(AHEAD);
		Session created = store.create(with(Expiry.after(Duration.ofDays(1))));
		assertThat(created.createTime()).isBetween(before, before.plusSeconds(60));
		assertThat(created.lastUpdateTime()).isEqualTo(created.createTime());
		assertThat(created.details().expireTime()).isEqualTo(created.createTime().plus(Duration.ofDays(1)));
		SessionDetails later = new SessionDetails(null, null, Expiry.after(Duration.ofDays(2)));
		store.updateDetails(created.name(), later, Precondition.NONE);
		assertThat(store.find(created.name(), EventWindow.NONE).orElseThrow().details().expireTime())
			.isBetween(before.plus(Duration.ofDays(2)), before.plus(Duration.ofDays(2)).plusSeconds(60));
	}

	@Test
	void refusesAnEndThatHasPassedByTheClockOfTheDatabase() {
		Expiry passed = new Expiry(Instant.now().plus(AHEAD).minusSeconds(60), null);
		SessionName name = store.create(Sessions.empty(Sessions.newKey())).name();
		List<ThrowingCallable> actions = List.of(() -> store.create(with(passed)),
				() -> store.updateDetails(name, new SessionDetails(null, null, passed), Precondition.NONE));
		assertThat(actions)
			.allSatisfy((action) -> assertThatExceptionOfType(SessionException.InvalidArgument.class).isThrownBy(action)
				.withMessage("expireTime must be in the future"));
	}

	@Test
	void saysThatADatabaseIsReadOnly() {
		SessionName name = store.create(Sessions.empty(Sessions.newKey())).name();
		set("default_transaction_read_only = on");
		try {
			reconnect();
			assertThat(writes(name))
				.allSatisfy((write) -> assertThatExceptionOfType(SessionException.Unavailable.class).isThrownBy(write)
					.withMessageStartingWith("The database is read-only"));
			assertThat(store.find(name, EventWindow.ALL)).isPresent();
		}
		finally {
			administrator
				.execute("set transaction read write; " + SET.formatted("default_transaction_read_only = off"));
			reconnect();
		}
	}

	private static List<ThrowingCallable> writes(SessionName name) {
		return Stream
			.<ThrowingCallable>of(() -> store.create(Sessions.empty(Sessions.newKey())),
					() -> store.append(name, Events.append(Events.id("e1"))),
					() -> store.appendAll(name, List.of(Events.id("e1")), Precondition.NONE),
					() -> store.updateDetails(name, new SessionDetails("Holiday", null), Precondition.NONE),
					() -> store.delete(name, Precondition.NONE),
					() -> store.changeState(name.app(), Sessions.state("{\"a\":1}")), () -> store.erase(name.user()))
			.toList();
	}

	/** Settings of a database hold for new connections. */
	private static void reconnect() {
		DataSourceUnwrapper.unwrap(service.getBean(DataSource.class), HikariConfigMXBean.class, HikariDataSource.class)
			.getHikariPoolMXBean()
			.softEvictConnections();
	}

	private static CreateSession with(Expiry expiry) {
		return new CreateSession(Sessions.newKey(), StateDelta.EMPTY, List.of(),
				new SessionDetails(null, null, expiry));
	}

}
