package dev.agentsessions.postgres.event;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;

import dev.agentsessions.postgres.ScopeKey;
import dev.agentsessions.postgres.Sql;
import dev.agentsessions.postgres.StatementParameters;
import dev.agentsessions.postgres.Transactions;
import dev.agentsessions.postgres.state.StateRow;
import dev.agentsessions.session.Precondition;

/**
 * The text and the parameters of the statement that appends events to one or more
 * sessions. For each append it checks the precondition and the lease, stores the event,
 * applies its state delta and sets the revision. It returns a row for each stored append.
 *
 * <p>
 * The statement locks the rows of the sessions in the order of their keys, and the rows
 * of state in the order of the primary key. So two statements never wait for each other
 * in a circle. The events of one session keep the order of the group. The statement
 * checks each precondition against the session as it was before the group. So either all
 * appends to one session have the same precondition, or only the first has one. It checks
 * the lease for each append, because no append changes it, with the time at which the
 * statement reached the database. An append under a lease is stored if the lease has its
 * number and has not expired, an append without a lease unless an exclusive lease is
 * valid. It checks the expiry again when it has the locks, because a session may expire
 * while the statement waits for them.
 *
 * <p>
 * An event id that is in the session already violates the unique constraint, and then the
 * statement stores nothing. A look-up of each id would cost every append a read, and
 * clients rarely repeat an id.
 */
public final class AppendSql {

	/**
	 * By at most this many microseconds the time of an event is later than that of the
	 * event before, if the clock of the database is not later. The step is random,
	 * because otherwise two histories that go on from one event after a restore would
	 * have the same times.
	 */
	public static final int MAX_STEP_MICROS = 1000;

	private static final String TEXT = """
			with input as materialized (
			  select * from unnest(?::int[], ?::uuid[], ?::bigint[], ?::int[], ?::text[]::timestamptz[], ?::bigint[],
			    ?::text[], ?::text[], ?::text[], ?::text[], ?::smallint[], ?::int[], ?::text[])
			    as input (number, session_key, revision, details_revision, last_update_time, lease, id, invocation_id,
			      author, time, kind, size, body)),
			lock_timeout as materialized (select set_config('lock_timeout', '%1$s', true) as value),
			locked as materialized (
			  select session.*, 1 + floor(random() * %5$d) as step
			  from lock_timeout cross join unnest(?::uuid[]) as wanted (session_key) cross join lateral (
			    select * from sessions
			    where sessions.session_key = wanted.session_key and lock_timeout.value is not null
			      and %2$s
			    for update) as session),
			stored as materialized (
			  select input.number, input.session_key, locked.revision + row_number() over earlier as seq,
			    greatest(statement_timestamp(), locked.last_update_time + locked.step * interval '1 microsecond')
			      + (row_number() over earlier - 1) * interval '1 microsecond' as commit_time,
			    input.id, input.invocation_id, input.author, input.time::timestamptz as time, input.kind,
			    input.size, input.body::json as body, locked.details_revision
			  from input join locked using (session_key)
			  where (locked.expire_time is null or locked.expire_time > clock_timestamp())
			    and %4$s
			  window earlier as (partition by input.session_key order by input.number)),
			new_events as (
			  insert into events (%3$s) select %3$s from stored),
			moved as (
			  insert into sessions
			    (session_key, name_key, app_key, user_key, app_name, user_id, id, create_time, revision, last_update_time)
			  select distinct on (session_key)
			    session_key, name_key, app_key, user_key, app_name, user_id, locked.id, locked.create_time, seq, commit_time
			  from stored join locked using (session_key)
			  order by session_key, seq desc
			  on conflict (session_key) do update
			  set revision = excluded.revision, last_update_time = excluded.last_update_time),
			changed as (
			  insert into state (scope_key, key, value)
			  select distinct on (scope_key, key collate "C") scope_key, key, value::json
			  from unnest(?::int[], ?::uuid[], ?::text[], ?::text[]) as change (number, scope_key, key, value)
			  join stored using (number)
			  order by scope_key, key collate "C", number desc
			  on conflict (scope_key, key) do update set value = excluded.value)
			select number, session_key, seq, commit_time, details_revision from stored
			"""
		.formatted(Transactions.LOCK_TIMEOUT, Sql.LIVE, Sql.EVENT_COLUMNS, preconditionHolds("locked.", "input."),
				MAX_STEP_MICROS);

	private AppendSql() {
	}

	/**
	 * Returns the condition that a session satisfies the precondition of an append, and
	 * that no lease prevents it. Citus refuses the time of the statement, or a cast from
	 * text to a time, within {@code case} and {@code coalesce}.
	 * @param session the prefix of the columns of the session
	 * @param expected the prefix of the values of the precondition
	 */
	public static String preconditionHolds(String session, String expected) {
		return """
				%1$srevision = coalesce(%2$srevision, %1$srevision)
				    and %1$sdetails_revision = coalesce(%2$sdetails_revision, %1$sdetails_revision)
				    and %1$slast_update_time = coalesce(%2$slast_update_time, %1$slast_update_time)
				    and (%2$slease::bigint is not null or %1$slease_exclusive is not true
				      or %1$slease_end <= statement_timestamp())
				    and (%2$slease::bigint is null or %1$slease = %2$slease and %1$slease_end > statement_timestamp())"""
			.formatted(session, expected);
	}

	/** Returns the named parameters of {@link #preconditionHolds}. */
	public static MapSqlParameterSource preconditionParameters(Precondition precondition) {
		Instant time = precondition.lastUpdateTime();
		return new MapSqlParameterSource().addValue("revision", precondition.revision(), Types.BIGINT)
			.addValue("details_revision", precondition.detailsRevision(), Types.INTEGER)
			.addValue("last_update_time", (time != null) ? time.atOffset(ZoneOffset.UTC) : null,
					Types.TIMESTAMP_WITH_TIMEZONE)
			.addValue("lease", precondition.lease(), Types.BIGINT);
	}

	/** Returns the statement for a group, with its parameters. */
	static PreparedStatement prepare(Connection connection, List<QueuedAppend> group) throws SQLException {
		PreparedStatement statement = connection.prepareStatement(TEXT);
		StatementParameters parameters = new StatementParameters(statement);
		addInputs(parameters, group);
		parameters.add("uuid",
				group.stream().map(QueuedAppend::sessionKey).distinct().sorted(ScopeKey.ORDER).toArray());
		addChanges(parameters, group);
		return statement;
	}

	private static void addInputs(StatementParameters parameters, List<QueuedAppend> group) throws SQLException {
		parameters.add("int4", IntStream.range(0, group.size()).boxed().toArray(Integer[]::new));
		parameters.add("uuid", group.stream().map(QueuedAppend::sessionKey).toArray());
		parameters.add("int8", group.stream().map((append) -> append.precondition().revision()).toArray(Long[]::new));
		parameters.add("int4",
				group.stream().map((append) -> append.precondition().detailsRevision()).toArray(Integer[]::new));
		parameters.addTexts(group, (append) -> text(append.precondition().lastUpdateTime()));
		parameters.add("int8", group.stream().map((append) -> append.precondition().lease()).toArray(Long[]::new));
		parameters.addTexts(group, (append) -> append.event().id());
		parameters.addTexts(group, (append) -> append.event().invocationId());
		parameters.addTexts(group, (append) -> append.event().author());
		parameters.addTexts(group, (append) -> text(append.event().time()));
		parameters.add("int2", group.stream().map((append) -> (short) append.event().kind()).toArray(Short[]::new));
		parameters.add("int4", group.stream().map((append) -> append.event().body().bytes()).toArray(Integer[]::new));
		parameters.addTexts(group, (append) -> append.event().body().text());
	}

	private static void addChanges(StatementParameters parameters, List<QueuedAppend> group) throws SQLException {
		List<Integer> indexes = new ArrayList<>();
		List<StateRow> changes = new ArrayList<>();
		for (int index = 0; index < group.size(); index++) {
			List<StateRow> ofOne = group.get(index).changes();
			indexes.addAll(Collections.nCopies(ofOne.size(), index));
			changes.addAll(ofOne);
		}
		parameters.add("int4", indexes.toArray(Integer[]::new));
		parameters.add("uuid", changes.stream().map(StateRow::scopeKey).toArray());
		parameters.addTexts(changes, StateRow::key);
		parameters.addTexts(changes, StateRow::textOrNull);
	}

	private static @Nullable String text(@Nullable Instant time) {
		return (time != null) ? time.toString() : null;
	}

}
