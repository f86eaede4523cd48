package dev.agentsessions.postgres.servers;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;

import javax.sql.DataSource;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Reads all rows of all tables with an owner. Which tables these are, and by which
 * columns their rows have an owner, it learns from the database and not from the code
 * under test.
 */
final class Rows {

	private static final List<String> OWNERS = List.of("user_key", "session_key", "scope_key");

	/** The columns of each table, in an order that does not depend on the server. */
	private static final String COLUMNS = """
			select relname::text, string_agg(attname, ',' order by attname)
			from pg_attribute join pg_class on attrelid = pg_class.oid
			where relkind = 'r' and relnamespace = 'public'::regnamespace and attnum > 0 and not attisdropped
			group by relname
			""";

	private Rows() {
	}

	/** Returns the rows of each table, sorted. */
	static Map<String, List<String>> all(DataSource server) {
		return read(server, "%s is not null", List.of());
	}

	/** Returns the rows that belong to owners with these keys. */
	static Map<String, List<String>> of(DataSource server, Collection<UUID> owners) {
		return read(server, "%s = any (?)", List.of((Object) owners.toArray(UUID[]::new)));
	}

	private static Map<String, List<String>> read(DataSource server, String condition, List<Object> parameter) {
		JdbcTemplate jdbc = new JdbcTemplate(server);
		Map<String, List<String>> rows = new TreeMap<>();
		jdbc.query(COLUMNS, (table) -> {
			List<String> owners = Arrays.stream(table.getString(2).split(",")).filter(OWNERS::contains).toList();
			if (!owners.isEmpty()) {
				String sql = "select row(%s)::text from %s where %s".formatted(table.getString(2), table.getString(1),
						owners.stream().map(condition::formatted).collect(Collectors.joining(" or ")));
				Object[] parameters = owners.stream().flatMap((owner) -> parameter.stream()).toArray();
				rows.put(table.getString(1),
						jdbc.queryForList(sql, String.class, parameters).stream().sorted().toList());
			}
		});
		return rows;
	}

}
