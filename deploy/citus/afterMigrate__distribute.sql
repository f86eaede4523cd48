-- Distributes the tables of Agent Sessions over the machines of a Citus cluster: each by its first column, so that all rows
-- of a session are on one machine. Tables that are already distributed do not change, so you can run it again. It must run
-- after each migration that has created a table. Run it on the coordinator, as the owner of the tables: by Flyway, as in
-- README.md, or by hand while no replica writes.

-- Replicas may start at the same moment. Each waits here for the one before it.
select pg_advisory_xact_lock(4620);

-- A name cannot be unique in a table with another distribution column, so a separate table makes names unique.
create table if not exists session_names (
    name_key    uuid not null,
    session_key uuid not null,
    constraint session_names_pkey primary key (name_key)
);

insert into session_names (name_key, session_key) select name_key, session_key from sessions on conflict do nothing;

do $$
declare
  -- secrets and signed_out_cookies stay on the coordinator because they are small.
  tables constant text[][] := array[
    ['sessions', 'session_key'],
    ['events', 'session_key'],
    ['state', 'scope_key'],
    ['pending_calls', 'session_key'],
    ['initial_state', 'session_key'],
    ['keys_to_sweep', 'session_key'],
    ['said', 'user_key'],
    ['said_sessions', 'user_key'],
    ['said_vectors', 'user_key'],
    ['memories', 'scope_key'],
    ['forgotten', 'scope_key'],
    ['artifacts', 'user_key'],
    ['artifact_versions', 'user_key'],
    ['artifact_blobs', 'user_key'],
    ['artifact_chunks', 'user_key'],
    ['session_names', 'name_key']];
begin
  if not exists (select from pg_extension where extname = 'citus') then
    return;
  end if;
  alter table sessions drop constraint if exists sessions_name_key_key;
  create index if not exists sessions_by_name on sessions (name_key);
  for number in 1 .. array_length(tables, 1) loop
    if not exists (select from pg_dist_partition where logicalrelid = tables[number][1]::regclass) then
      perform create_distributed_table(tables[number][1], tables[number][2],
        colocate_with := case when number = 1 then 'default' else tables[1][1] end);
    end if;
  end loop;
end
$$;
