package dev.agentsessions.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Collectors;

import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.support.AbstractTestExecutionListener;

import dev.agentsessions.postgres.lifecycle.OwnedTables;
import dev.agentsessions.postgres.lifecycle.OwnedTables.OwnedTable.Owner;

/**
 * Looks at the whole database after each class of tests: nothing may be left of sessions
 * that are gone, and those that are there have the events that their revision says. A
 * trigger notes the keys of all sessions that ever were, because the state of a session
 * whose row is gone looks like that of a user. Citus has no triggers on distributed
 * tables, so there nothing is looked at.
 */
public class OrphanCheck extends AbstractTestExecutionListener {

	/** The key of the newest session that has, or had, the name with a digest. */
	public static final String NEWEST_KEY = """
			select session_key from orphan_check.keys where name_key = ? order by number desc limit 1
			""";

	private static final String NOTE_KEYS = """
			create schema if not exists orphan_check;
			create table if not exists orphan_check.keys (
			  session_key uuid primary key, name_key uuid not null, number bigint generated always as identity);
			create index if not exists keys_by_name on orphan_check.keys (name_key);
			insert into orphan_check.keys select session_key, name_key from public.sessions on conflict do nothing;
			create or replace function orphan_check.note() returns trigger language plpgsql as $$
			begin
			  insert into orphan_check.keys values (new.session_key, new.name_key) on conflict do nothing;
			  return null;
			end $$;
			create or replace trigger orphan_check after insert on public.sessions
			  for each row execute function orphan_check.note()
			""";

	private static final String ORPHANS = """
			select session_key from orphan_check.keys
			where not exists (select from public.sessions where sessions.session_key = keys.session_key)
			  and not exists (select from public.keys_to_sweep where keys_to_sweep.session_key = keys.session_key)
			  and (%s)
			""".formatted(OwnedTables.ALL.stream()
		.filter((table) -> table.owner() != Owner.USER)
		.map((table) -> "exists (select from public.%s where %s = keys.session_key)".formatted(table.name(),
				table.owner().columns().get(table.owner().columns().size() - 1)))
		.collect(Collectors.joining(" or ")));

	/** A session that is being removed loses its events before its row. */
	private static final String INCOMPLETE = """
			select sessions.app_name || '/' || sessions.user_id || '/' || sessions.id
			from public.sessions cross join lateral (
			  select count(*) as stored, coalesce(min(seq), 1) as oldest, coalesce(max(seq), 0) as newest
			  from public.events where events.session_key = sessions.session_key) as history
			where (expire_time is null or expire_time > statement_timestamp())
			  and (stored <> revision or newest <> revision or oldest <> 1)
			""";

	@Override
	public void beforeTestClass(TestContext test) {
		if (isChecked(test)) {
			jdbc(test).execute(NOTE_KEYS);
		}
	}

	@Override
	public void afterTestClass(TestContext test) {
		if (test.hasApplicationContext() && isChecked(test)) {
			assertThat(find(test, ORPHANS)).as("keys of sessions that are gone and of which something is left")
				.isEmpty();
			assertThat(find(test, INCOMPLETE)).as("sessions whose events are not 1 to revision").isEmpty();
		}
	}

	private static boolean isChecked(TestContext test) {
		ApplicationContext context = test.getApplicationContext();
		return context.getBeanNamesForType(JdbcTemplate.class).length > 0
				&& find(test, "select extname from pg_extension where extname = 'citus'").isEmpty();
	}

	private static List<String> find(TestContext test, String query) {
		return jdbc(test).queryForList(query, String.class);
	}

	private static JdbcTemplate jdbc(TestContext test) {
		return test.getApplicationContext().getBean(JdbcTemplate.class);
	}

}
