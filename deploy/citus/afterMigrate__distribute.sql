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
  one record;
begin
  if not exists (select from pg_extension where extname = 'citus') then
    return;
  end if;
  alter table sessions drop constraint if exists sessions_name_key_key;
  create index if not exists sessions_by_name on sessions (name_key);
  -- Each table whose primary key begins with a key. The others, secrets and signed_out_cookies, stay on the coordinator
  -- because they are small.
  for one in
    select indrelid::regclass::text as name, attname::text as key
    from pg_index join pg_attribute on attrelid = indrelid and attnum = indkey[0]
    where indisprimary and atttypid = 'uuid'::regtype and indrelid in (
      select oid from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace)
    order by indrelid <> 'sessions'::regclass, 1
  loop
    if not exists (select from pg_dist_partition where logicalrelid = one.name::regclass) then
      perform create_distributed_table(one.name, one.key,
        colocate_with := case when one.name = 'sessions' then 'default' else 'sessions' end);
    end if;
  end loop;
end
$$;
