package dev.agentsessions.postgres.search;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import dev.agentsessions.postgres.MemoryBoundedReads;
import dev.agentsessions.postgres.Sql;
import dev.agentsessions.postgres.StatementParameters;
import dev.agentsessions.postgres.event.EventEntity;
import dev.agentsessions.postgres.event.EventRows;
import dev.agentsessions.search.FoundTurn;
import dev.agentsessions.search.Turn;
import dev.agentsessions.search.TurnId;
import dev.agentsessions.search.fact.Fact;
import dev.agentsessions.session.Event;

/**
 * Reads the events of ranked turns, with the turns around them, and ranked facts. A turn
 * or a fact that was removed after the ranking is left out. So is a turn whose number
 * belongs to another text, because the session was indexed anew.
 */
@Component
class TurnReader {

	/**
	 * Each event is read for itself: in a plain join, PostgreSQL can take all events of
	 * the session to be few, and read them for each hit.
	 */
	private static final String SQL = """
			with wanted as (
			  select i, user_key, session_key, said.turn - w.turn as distance, said.turn, seq
			  from unnest(?::uuid[], ?::int4[], ?::int8[]) with ordinality as w (key, turn, same, i)
			  join said on user_key = ? and session_key = w.key and said.turn between w.turn - ? and w.turn + ?
			  where not %s and (said.turn <> w.turn or said.same = w.same))
			select i, distance, session_key, session_id, seq, commit_time, id, size, fits,
			  case when fits and size < ? then body end as body
			from (
			  select i, distance, session_key, sessions.id as session_id, event.seq, commit_time, event.id, size, body,
			    sum(size) over (order by i, abs(distance), distance) - size < ? as fits
			  from wanted join sessions using (session_key) cross join lateral (
			    select seq, commit_time, id, size, body from events
			    where events.session_key = wanted.session_key and events.seq = wanted.seq
			    order by seq limit 1) as event
			  where %s) as found
			order by i, abs(distance), distance
			""".formatted(TurnConditions.FORGOTTEN, Sql.LIVE);

	/**
	 * A page ends after about this number of bytes of events, and has at least one hit.
	 */
	static final long MAX_PAGE_BYTES = 1 << 22;

	private final JdbcTemplate jdbc;

	private final MemoryBoundedReads reads;

	private final FactIndex facts;

	TurnReader(JdbcTemplate jdbc, MemoryBoundedReads reads, FactIndex facts) {
		this.jdbc = jdbc;
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
		Rows rows = this.reads.read((deferFrom) -> {
			Rows read = new Rows();
			this.jdbc.query(SQL,
					(statement) -> new StatementParameters(statement)
						.add("uuid", ranked.stream().map(RankedTurn::sessionKey).toArray())
						.add("int4", ranked.stream().map(RankedTurn::turn).toArray())
						.add("int8", ranked.stream().map(RankedTurn::same).toArray())
						.add(userKey)
						.add(Integer.valueOf(around))
						.add(Integer.valueOf(around))
						.add(Long.valueOf(deferFrom))
						.add(Long.valueOf(MAX_PAGE_BYTES)),
					read);
			return read;
		});
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

	private Map<String, Fact> facts(UUID userKey, List<RankedTurn> ranked) {
		return this.facts.read(userKey, ranked.stream().map(RankedTurn::factId).filter(Objects::nonNull).toList());
	}

	/**
	 * The turns of a page.
	 *
	 * @param found those that are still there
	 * @param ranked the number of ranked turns that the page covers
	 */
	record Turns(List<FoundTurn> found, int ranked) {

	}

	/** The turns of each hit, by their distance from it. */
	private static final class Rows extends EventRows {

		private final Map<Integer, List<Near>> byHit = new HashMap<>();

		/** The first hit that does not fit with all turns around it. */
		private int firstCut = Integer.MAX_VALUE;

		/**
		 * Returns the number of hits of the page. A hit that is cut is one if it is the
		 * first.
		 */
		int wholeHits() {
			return Math.max(1, this.firstCut - 1);
		}

		@Override
		public void processRow(ResultSet row) throws SQLException {
			if (!row.getBoolean("fits")) {
				this.firstCut = Math.min(this.firstCut, row.getInt("i"));
				return;
			}
			addEvent(row);
			Event event = EventEntity.toEvent(row);
			if (event != null) {
				TurnId id = new TurnId(row.getObject("session_key", UUID.class), event.seq());
				Turn turn = Turn.of(id, Objects.requireNonNull(row.getString("session_id")), event);
				this.byHit.computeIfAbsent(row.getInt("i"), (hit) -> new ArrayList<>())
					.add(new Near(row.getInt("distance"), turn));
			}
		}

		Optional<FoundTurn> found(int hit, RankedTurn ranked) {
			List<Near> near = this.byHit.getOrDefault(hit, List.of())
				.stream()
				.sorted(Comparator.comparingInt(Near::distance))
				.toList();
			return near.stream()
				.filter((turn) -> turn.distance == 0)
				.findFirst()
				.map((turn) -> new FoundTurn(turn.turn, ranked.score(),
						near.stream().filter((other) -> other.distance < 0).map(Near::turn).toList(),
						near.stream().filter((other) -> other.distance > 0).map(Near::turn).toList()));
		}

	}

	/**
	 * A turn near a hit.
	 *
	 * @param distance how many turns it is after the hit; negative before it
	 * @param turn the turn
	 */
	private record Near(int distance, Turn turn) {

	}

}
