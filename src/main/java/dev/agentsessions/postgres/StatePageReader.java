package dev.agentsessions.postgres;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.ResultSetExtractor;

import dev.agentsessions.session.SessionKey;
import dev.agentsessions.json.JsonText;

/**
 * The state of sessions of a list, read as somebody goes through the list, as many scopes
 * at once as a bounded amount of memory can hold.
 */
final class StatePageReader {

	/** So many scopes are looked at for one piece. */
	private static final int SCOPES_OF_PIECE = 3 * SessionPages.SESSIONS_OF_PIECE;

	/** About so many characters make a piece; a single scope may have more. */
	private static final int PIECE = 1 << 22;

	/**
	 * A long value is not unpacked to be measured: it is taken for as long as it could
	 * be, since compression shortens it to a 255th at most.
	 */
	private static final String SQL = """
			select place, last_place, scope_key, key, value from (
			  select place, max(place) over () as last_place, wanted.scope_key, key, value,
			    sum(size) over (order by place) - sum(size) over (partition by place) as before
			  from unnest(?::uuid[]) with ordinality as wanted (scope_key, place) cross join lateral (
			    select key, value, case
			        when pg_column_compression(value) is null then pg_column_size(value)
			        when pg_column_size(value) < 8192 then octet_length(value::text)
			        else pg_column_size(value) * 255 end as size
			    from state where state.scope_key = wanted.scope_key offset 0) as own) as measured
			where before < ? order by place, key
			""";

	private final JdbcTemplate jdbc;

	private final Map<UUID, Map<String, JsonText>> found = new LinkedHashMap<>();

	/** In the order in which they are asked for. */
	private final Set<UUID> unread;

	StatePageReader(JdbcTemplate jdbc, List<SessionKey> sessions) {
		this.jdbc = jdbc;
		this.unread = sessions.stream()
			.flatMap(StatePageReader::scopesOf)
			.collect(Collectors.toCollection(LinkedHashSet::new));
	}

	/** The session's own comes last, so that all are read when it is. */
	private static Stream<UUID> scopesOf(SessionKey key) {
		return Stream.of(ScopeKey.of(key.app()), ScopeKey.of(key.user()), ScopeKey.of(key));
	}

	/** What an agent reads in a session; they have to be asked for in their order. */
	Map<String, JsonText> merged(SessionKey key) {
		UUID own = ScopeKey.of(key);
		while (this.unread.contains(own)) {
			readPiece();
		}
		return new StateReader.Found(this.found).merged(key);
	}

	private void readPiece() {
		List<UUID> wanted = this.unread.stream().limit(SCOPES_OF_PIECE).toList();
		int complete = this.jdbc.query(SQL,
				(statement) -> new Parameters(statement).add("uuid", wanted.toArray()).add(PIECE),
				(ResultSetExtractor<Integer>) (rows) -> keep(rows, wanted.size()));
		wanted.subList(0, complete).forEach(this.unread::remove);
	}

	/** Keeps what was read, and answers how many scopes that are. */
	private int keep(ResultSet rows, int wanted) throws SQLException {
		int complete = wanted;
		while (rows.next()) {
			this.found.computeIfAbsent(rows.getObject("scope_key", UUID.class), (scopeKey) -> new LinkedHashMap<>())
				.put(rows.getString("key"), new JsonText(rows.getString("value")));
			int place = rows.getInt("place");
			complete = (place < rows.getInt("last_place")) ? place : wanted;
		}
		return complete;
	}

}
