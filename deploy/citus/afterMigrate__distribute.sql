-- Distributes the tables of Agent Sessions over the machines of a Citus cluster: each by its first column, so that all rows of a
-- session are on one machine. Tables that are distributed already stay as they are, so it may be run again, and has to be after
-- each migration that has made a table. It runs on the coordinator, as the owner of the tables: by Flyway, as README.md has it,
-- or by hand while no replica writes.

do $$
declare
  -- A table behind those that its foreign keys refer to. secrets stays on the coordinator: it has one row or two.
  tables constant text[][] := array[
    ['sessions', 'session_key'],
    ['events', 'session_key'],
    ['state', 'scope_key'],
    ['event_marks', 'session_key'],
    ['pending_calls', 'session_key'],
    ['initial_state', 'session_key']];
begin
  for number in 1 .. array_length(tables, 1) loop
    if not exists (select from pg_dist_partition where logicalrelid = tables[number][1]::regclass) then
      perform create_distributed_table(tables[number][1], tables[number][2],
        colocate_with := case when number = 1 then 'default' else tables[1][1] end);
    end if;
  end loop;
end
$$;
