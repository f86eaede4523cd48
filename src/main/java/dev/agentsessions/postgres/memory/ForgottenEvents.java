package dev.agentsessions.postgres.memory;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.json.JsonObject;
import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.Sql;
import dev.agentsessions.postgres.StatementParameters;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.postgres.session.EventListReader;
import dev.agentsessions.search.Turn.SaidText;
import dev.agentsessions.search.Turn.TurnId;
import dev.agentsessions.session.Event;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.Timestamps;
import dev.agentsessions.session.event.EventFields;
import dev.agentsessions.session.event.EventQuery;
import dev.agentsessions.session.event.EventQuery.EventPage;
import dev.agentsessions.session.heap.ResponseHeap;

/** Events that no search finds any more: the table {@code forgotten}. */
@Component
class ForgottenEvents {

	private static final String OWNED = "select 1 from sessions where session_key = ? and user_key = ? and " + Sql.LIVE;

	/**
	 * The removal of the session, and appends to it, wait until the transaction has
	 * ended.
	 */
	private static final String OWNED_LOCKED = OWNED + " for key share";

	private static final String FORGET = """
			insert into forgotten (scope_key, same, until) values (?, ?, greatest(statement_timestamp(), ?))
			on conflict (scope_key, same) do update set until = greatest(forgotten.until, excluded.until)
			""";

	private final Transactions transactions;

	private final JdbcTemplate jdbc;

	private final EventListReader events;

	private final ResponseHeap memory;

	ForgottenEvents(Transactions transactions, JdbcTemplate jdbc, EventListReader events, ResponseHeap memory) {
		this.transactions = transactions;
		this.jdbc = jdbc;
		this.events = events;
		this.memory = memory;
	}

	/**
	 * Makes an event of the user unfindable, and all events with the same words up to its
	 * time.
	 * @return whether the user has such an event
	 */
	boolean forget(StateOwner user, TurnId event) {
		UUID userKey = ScopeKey.of(user);
		boolean owned = this.transactions.statement(() -> isOwned(OWNED, userKey, event));
		return owned && read(event).filter((said) -> forget(userKey, event, said)).isPresent();
	}

	/** An erasure of the user that ends before this begins leaves no session. */
	private boolean forget(UUID userKey, TurnId event, JsonObject body) {
		long textDigest = Digests.ofText(SaidText.of(body).text());
		Instant time = EventFields.timeOf(body);
		return this.transactions.write(userKey,
				() -> isOwned(OWNED_LOCKED, userKey, event)
						&& this.jdbc.update(FORGET, (statement) -> new StatementParameters(statement).addAll(userKey,
								textDigest, Timestamps.toMicroseconds(time))) > 0);
	}

	private boolean isOwned(String sql, UUID userKey, TurnId event) {
		return !this.jdbc.queryForList(sql, Integer.class, event.sessionKey(), userKey).isEmpty();
	}

	private Optional<JsonObject> read(TurnId event) {
		long before = this.memory.taken();
		try {
			EventQuery query = EventQuery.of(false, 1)
				.ofSession(event.sessionKey())
				.between(event.seq() - 1, event.seq() + 1);
			return this.events.chunk(event.sessionKey(), query)
				.map(EventPage::items)
				.flatMap((items) -> items.stream().findFirst())
				.map(Event::body)
				.map((body) -> JsonObject.of(body));
		}
		finally {
			this.memory.backTo(before);
		}
	}

}
