package dev.agentsessions.postgres.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.agentsessions.postgres.PostgresStoreTest;
import dev.agentsessions.postgres.StoredKey;
import dev.agentsessions.session.Precondition;
import dev.agentsessions.session.SessionName;
import dev.agentsessions.session.contract.Events;
import dev.agentsessions.session.contract.Sessions;

/** However an event came into its session, it has the same columns. */
class EventWriterTests extends PostgresStoreTest {

	@ParameterizedTest
	@ValueSource(strings = { "0001-01-01T00:00:00Z", "1000-02-28T12:00:00.000001Z", "1582-10-04T00:00:00Z",
			"1582-10-10T00:00:00Z", "1969-12-31T23:59:59.999999Z", "2024-06-01T00:00:00Z", "9999-12-31T23:59:59Z" })
	void storesTheSameTimeAsAnAppend(String timestamp) {
		String event = """
				{"author":"agent","invocationId":"i","timestamp":"%s","filler":"%s"}""";
		String small = event.formatted(timestamp, "x");
		SessionName name = this.store.create(Sessions.with(Sessions.newKey(), "{}", small)).name();
		this.store.append(name, Events.append(Events.event(small)));
		this.store.append(name, Events.append(Events.event(event.formatted(timestamp, "x".repeat(70_000)))));
		this.store.appendAll(name, List.of(Events.event(small)), Precondition.NONE);
		assertThat(this.jdbc.queryForList(
				"select distinct to_char(time at time zone 'UTC', 'YYYY-MM-DD') || author"
						+ " || invocation_id from events where session_key = ?",
				String.class, StoredKey.of(this.jdbc, name)))
			.containsExactly(timestamp.substring(0, 10) + "agenti");
		assertThat(this.jdbc.queryForList("select distinct extract(epoch from time) from events where session_key = ?",
				StoredKey.of(this.jdbc, name)))
			.hasSize(1);
	}

}
