package dev.agentsessions.postgres.memory;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.HeapBoundedReads;
import dev.agentsessions.postgres.Sql;
import dev.agentsessions.postgres.StatementParameters;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.postgres.memory.SearchStatement.TurnConditions;
import dev.agentsessions.postgres.memory.SearchedTurns.RankedTurn;
import dev.agentsessions.postgres.session.EventEntity.EventRows;
import dev.agentsessions.search.Fact;
import dev.agentsessions.search.SearchService.FoundTurns.FoundTurn;
import dev.agentsessions.search.Turn;
import dev.agentsessions.search.Turn.TurnId;
import dev.agentsessions.session.Event;

/**
 * Reads the events of ranked turns, with the turns around them, and ranked facts. A turn
 * or a fact that was removed after the ranking is left out. So is a turn whose number
 * belongs to another text, because the session was indexed anew.
 */
@Component
class TurnReader {

	/** The events of the hits and of the turns near them, the nearest turns first. */
	private static final String NEAR = """
			select i, said.turn - w.turn as distance, session_key, seq
			from unnest(?::uuid[], ?::int4[], ?::int8[]) with ordinality as w (key, turn, same, i)
			join said on user_key = ? and session_key = w.key and said.turn between w.turn - ? and w.turn + ?
			where not %s and (said.turn <> w.turn or said.same = w.same)
			order by i, abs(said.turn - w.turn), distance
			""".formatted(TurnConditions.FORGOTTEN);

	/**
	 * What was said is stored by user and its events by session, so no statement joins
	 * them. The order within the join keeps PostgreSQL from reading all events of a
	 * session, which it can take to be few, for each hit.
	 */
	private static final String EVENTS = """
			select i, session_key, session_id, seq, commit_time, id, size, fits, case when fits then body end as body
			from (
			  select i, session_key, sessions.id as session_id, seq, commit_time, event.id, size,
			    case when size < ? then body end as body, sum(size) over (order by i) - size < ? as fits
			  from unnest(?::uuid[], ?::int8[]) with ordinality as wanted (key, number, i)
			  join sessions on session_key = key cross join lateral (
			    select seq, commit_time, id, size, body from events
			    where events.session_key = sessions.session_key and events.seq = wanted.number order by seq) as event
			  where %s) as found
			order by i
			""".formatted(Sql.LIVE);

	/**
	 * A page ends after about this number of bytes of events, and has at least one hit.
	 */
	static final long MAX_PAGE_BYTES = 1 << 22;

	private final JdbcTemplate jdbc;

	private final Transactions transactions;

	private final HeapBoundedReads reads;

	private final FactIndex facts;

	TurnReader(JdbcTemplate jdbc, Transactions transactions, HeapBoundedReads reads, FactIndex facts) {
		this.jdbc = jdbc;
		this.transactions = transactions;
		this.reads = reads;
		this.facts = facts;
	}

	/**
	 * Reads the first of some turns, as many as a page may have.
	 * @param around the number of turns to read before and after each
	 */
	Turns read(UUID userKey, List<RankedTurn> ranked, int around) {
		if (ranked.isEmpty()) {
			return new Turns(List.of(), 0);
		}
		Rows rows = rows(near(userKey, ranked, around));
		int count = Math.min(ranked.size(), rows.wholeHits());
		List<FoundTurn> found = new ArrayList<>();
		Map<String, Fact> facts = facts(userKey, ranked.subList(0, count));
		for (int i = 0; i < count; i++) {
			RankedTurn turn = ranked.get(i);
			int number = i + 1;
			Optional.ofNullable(facts.get(Objects.requireNonNullElse(turn.factId(), "")))
				.map((fact) -> new FoundTurn(fact.toTurn(), turn.score(), List.of(), List.of()))
				.or(() -> rows.found(number, turn))
				.ifPresent(found::add);
		}
		return new Turns(found, count);
	}

	private List<Place> near(UUID userKey, List<RankedTurn> ranked, int around) {
		return this.transactions.statement(() -> this.jdbc.query(NEAR,
				(statement) -> new StatementParameters(statement)
					.add("uuid", ranked.stream().map(RankedTurn::sessionKey).toArray())
					.add("int4", ranked.stream().map(RankedTurn::turn).toArray())
					.add("int8", ranked.stream().map(RankedTurn::textDigest).toArray())
					.add(userKey)
					.addAll(around, around, userKey),
				(row, number) -> new Place(row.getInt("i"), row.getInt("distance"),
						row.getObject("session_key", UUID.class), row.getLong("seq"))));
	}

	private Rows rows(List<Place> places) {
		if (places.isEmpty()) {
			return new Rows(places);
		}
		return this.reads.read((deferFrom) -> {
			Rows read = new Rows(places);
			this.jdbc.query(EVENTS,
					(statement) -> new StatementParameters(statement).addAll(deferFrom, MAX_PAGE_BYTES)
						.add("uuid", places.stream().map(Place::sessionKey).toArray())
						.add("int8", places.stream().map(Place::seq).toArray()),
					read);
			return read;
		});
	}

	private Map<String, Fact> facts(UUID userKey, List<RankedTurn> ranked) {
		return this.facts.read(userKey, ranked.stream().map(RankedTurn::factId).filter(Objects::nonNull).toList());
	}

	/**
	 * The turns of a page.
	 *
	 * @param found the turns that still exist
	 * @param ranked the number of ranked turns that the page covers
	 */
	record Turns(List<FoundTurn> found, int ranked) {

	}

	/** The turns of each hit, by their distance from it. */
	private static final class Rows extends EventRows {

		private final List<Place> places;

		private final Map<Integer, TreeMap<Integer, Turn>> byHit = new HashMap<>();

		/** The first hit that does not fit with all turns around it. */
		private int firstCut = Integer.MAX_VALUE;

		Rows(List<Place> places) {
			this.places = places;
		}

		/**
		 * Returns the number of hits of the page. A hit that is cut is one if it is the
		 * first.
		 */
		int wholeHits() {
			return Math.max(1, this.firstCut - 1);
		}

		@Override
		public void processRow(ResultSet row) throws SQLException {
			Place place = this.places.get(row.getInt("i") - 1);
			if (!row.getBoolean("fits")) {
				this.firstCut = Math.min(this.firstCut, place.hit);
				return;
			}
			Event event = addEvent(row);
			if (event != null) {
				TurnId id = new TurnId(row.getObject("session_key", UUID.class), event.seq());
				Turn turn = Turn.of(id, Objects.requireNonNull(row.getString("session_id")), event);
				this.byHit.computeIfAbsent(place.hit, (hit) -> new TreeMap<>()).put(place.distance, turn);
			}
		}

		Optional<FoundTurn> found(int hit, RankedTurn ranked) {
			TreeMap<Integer, Turn> near = this.byHit.getOrDefault(hit, new TreeMap<>());
			return Optional.ofNullable(near.get(0))
				.map((turn) -> new FoundTurn(turn, ranked.score(), List.copyOf(near.headMap(0).values()),
						List.copyOf(near.tailMap(0, false).values())));
		}

	}

	/**
	 * Where the event of a turn near a hit is.
	 *
	 * @param hit the number of the hit, from 1 on
	 * @param distance how many turns it is after the hit; negative before it
	 * @param sessionKey the key of its session
	 * @param seq its seq
	 */
	private record Place(int hit, int distance, UUID sessionKey, long seq) {

	}

}
