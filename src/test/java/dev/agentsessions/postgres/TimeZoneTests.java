package dev.agentsessions.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

import dev.agentsessions.AgentSessionsApplication;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.EventWindow;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionException;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.contract.Events;
import dev.agentsessions.session.contract.EventsContract;
import dev.agentsessions.session.contract.ExpiryContract;
import dev.agentsessions.session.contract.ListContract;
import dev.agentsessions.session.contract.PreconditionContract;
import dev.agentsessions.session.contract.Sessions;
import dev.agentsessions.session.contract.Stores;
import dev.agentsessions.session.contract.TimelineContract;
import dev.agentsessions.session.event.AppendResult;
import dev.agentsessions.session.event.EventService.AppendRequest;
import dev.agentsessions.session.lifecycle.SessionQuery;
import dev.agentsessions.session.lifecycle.SessionQuery.Filter;
import dev.agentsessions.session.lifecycle.SessionQuery.Order;

/**
 * What the contract says of times, where the service is in one time zone and the database
 * in another, and the same hour of the clock on the wall twice.
 */
@PostgresTest
class TimeZoneTests implements ListContract, PreconditionContract, EventsContract, TimelineContract, ExpiryContract {

	private static final TimeZone USUAL = TimeZone.getDefault();

	/** 2:30 in Berlin, in summer time and an hour later again in winter time. */
	private static final Instant BEFORE = Instant.parse("2099-10-25T00:30:00.123456Z");

	private static final Instant AFTER = Instant.parse("2099-10-25T01:30:00.123456Z");

	private static ConfigurableApplicationContext service;

	@BeforeAll
	static void startElsewhere(@Autowired JdbcConnectionDetails server) {
		TimeZone.setDefault(TimeZone.getTimeZone("Europe/Berlin"));
		String url = NewDatabase.create(server).getUrl();
		service = new SpringApplicationBuilder(AgentSessionsApplication.class).web(WebApplicationType.NONE)
			.run("--spring.datasource.url=" + url, "--spring.datasource.username=" + server.getUsername(),
					"--spring.datasource.hikari.connection-init-sql=set time zone 'Pacific/Apia'");
	}

	@AfterAll
	static void stop() {
		service.close();
		TimeZone.setDefault(USUAL);
	}

	@Override
	public Stores store() {
		return Stores.of(service);
	}

	@Test
	void runsInTwoTimeZones() {
		assertThat(TimeZone.getDefault().getID()).isEqualTo("Europe/Berlin");
		assertThat(jdbc().queryForObject("show time zone", String.class)).isEqualTo("Pacific/Apia");
	}

	@Test
	void storesTheMoment() {
		SessionName name = newSession();
		store(name, Events.event("{\"id\":\"e1\",\"timestamp\":\"" + BEFORE + "\"}"));
		store(name, Events.event("{\"id\":\"e2\",\"timestamp\":\"" + AFTER + "\"}"));
		assertThat(jdbc().queryForList(
				"select extract(epoch from time)::text from events where session_key = ? order by seq", String.class,
				read(name).sessionKey()))
			.containsExactly("4096571400.123456", "4096575000.123456");
		assertThat(jdbc().queryForObject(
				"select create_time between now() - interval '1 hour' and now() from sessions where name_key = ?",
				Boolean.class, ScopeKey.of(name)))
			.isTrue();
	}

	@Test
	void tellsEventsOfTheRepeatedHourApart() {
		SessionName name = newSession();
		store(name, Events.event("{\"id\":\"e1\",\"timestamp\":\"" + BEFORE + "\"}"));
		store(name, Events.event("{\"id\":\"e2\",\"timestamp\":\"" + AFTER + "\"}"));
		assertThat(idsSince(name, BEFORE)).containsExactly("e1", "e2");
		assertThat(idsSince(name, BEFORE.plus(1, ChronoUnit.MICROS))).containsExactly("e2");
		assertThat(idsSince(name, AFTER)).containsExactly("e2");
		assertThat(idsSince(name, AFTER.plus(1, ChronoUnit.MICROS))).isEmpty();
	}

	@Test
	void movesOnWithinTheRepeatedHour() {
		SessionName name = newSession();
		setLastUpdateTime(name, AFTER);
		assertThat(read(name).lastUpdateTime()).isEqualTo(AFTER);
		assertThatExceptionOfType(SessionException.Stale.class).isThrownBy(() -> append(name, BEFORE));
		assertThat(append(name, AFTER).replayed()).isFalse();
		Instant next = read(name).lastUpdateTime();
		assertThat(next).isBetween(AFTER.plus(1, ChronoUnit.MICROS), AFTER.plus(1, ChronoUnit.MILLIS));
		assertThat(append(name, next).replayed()).isFalse();
	}

	@Test
	void listsSessionsOfTheRepeatedHourInTheirOrder() {
		SessionName later = newSession();
		SessionName earlier = Sessions.sibling(later, "s2");
		store().create(Sessions.empty(earlier));
		setLastUpdateTime(later, AFTER);
		setLastUpdateTime(earlier, BEFORE);
		SessionQuery first = SessionQuery.of(later.user(), Order.USER, false, 1, new Filter(null, Map.of(), true),
				true);
		assertThat(store().list(first).items()).usingRecursiveFieldByFieldElementComparator()
			.containsExactly(read(earlier));
		assertThat(store().list(first.after(first.position(read(earlier)))).items())
			.usingRecursiveFieldByFieldElementComparator()
			.containsExactly(read(later));
	}

	private AppendResult append(SessionName name, Instant lastUpdateTime) {
		return store().append(name, new AppendRequest(Events.delta("{}"), new Precondition(null, lastUpdateTime)));
	}

	private List<String> idsSince(SessionName name, Instant since) {
		return store().find(name, new EventWindow(null, since))
			.orElseThrow()
			.events()
			.toList()
			.stream()
			.map(Event::id)
			.toList();
	}

	private static void setLastUpdateTime(SessionName name, Instant time) {
		jdbc().update("update sessions set last_update_time = ?::timestamptz where name_key = ?", time.toString(),
				ScopeKey.of(name));
	}

	private static JdbcTemplate jdbc() {
		return service.getBean(JdbcTemplate.class);
	}

}
