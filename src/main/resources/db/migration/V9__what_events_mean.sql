-- What an event means stands beside it, so readers find the few events that matter without a table of their own.
-- All replicas have to be stopped: an older version does not work with the tables as they are then.

do $$
begin
    if exists (select from sessions where noted_seq < revision) then
        raise exception 'The database has sessions whose events an older version has not looked through yet. '
            'Start version 0.1.0 once, wait a few minutes, stop it, and start this version again';
    end if;
end
$$;

alter table events add column kind smallint;

comment on column events.kind is 'what the event may mean, as bits: 1 changes state of the session, 2 changes shared state, '
    '4 rewinds, 8 compacts, 16 calls something that waits, 32 answers, 128 calls functions, 256 is named after a call, '
    '512 is left out of summaries. Null if it was stored before: then its body tells, and it neither rewinds nor compacts';

-- Every event that rewinds or compacts began at least one row of event_marks. What it means, its body tells.
update events set kind = 4095
from (select distinct session_key, since_seq from event_marks) as mark
where events.session_key = mark.session_key and events.seq = mark.since_seq;

-- Appends of other events do not pay for it.
create index events_that_change_the_view on events (session_key, seq) where kind & 12 <> 0;

-- For sessions from before the table initial_state: what no event has set is as it was in the beginning. PostgreSQL
-- cannot take JSON apart that has \u0000 in it, so the backslash of each such escape is escaped, and later changed back.
with unknown as materialized (
    select session_key from sessions where not initial_state_kept),
changed as materialized (
    select distinct session_key, case when strpos(change.key, '\') = 0 then change.key
      else replace(replace(replace(to_json(change.key)::text, '\\\\', chr(1)), '\\u', '\u'), chr(1), '\\')::json #>> '{}' end as key
    from unknown join events using (session_key)
      cross join lateral (
        select replace(replace(replace(body::text, '\\', chr(1)), '\u', '\\u'), chr(1), '\\\\')::json
          #> '{actions,stateDelta}' as delta offset 0) as own
      cross join lateral json_each(case when json_typeof(delta) = 'object' then delta end) as change
    where strpos(body::text, '"stateDelta"') > 0)
insert into initial_state (session_key, key, value)
select session_key, state.key, state.value
from unknown join state on state.scope_key = session_key
where state.value is not null
  and not exists (select from changed where changed.session_key = unknown.session_key and changed.key = state.key)
on conflict do nothing;

alter table sessions
    drop column noted_seq,
    drop column has_marks,
    drop column initial_state_kept;

drop table event_marks;
