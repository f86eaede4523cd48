-- Fills the tables of the service faster than its API could. In a schema of its own, which the service never sees.

create schema fixtures;

-- The keys of the tables: the first 16 bytes of the SHA-256 of the names in UTF-8, each after its length in bytes.
create function fixtures.key(variadic names text[]) returns uuid immutable strict language sql as $$
  select encode(substring(sha256(string_agg(int4send(octet_length(name)) || convert_to(name, 'UTF8'), '' order by place))
    for 16), 'hex')::uuid
  from unnest(names) with ordinality as t (name, place)
$$;

-- Sessions s1, s2, ... of the users u0, u1, ..., each last updated one second after the one before.
create procedure fixtures.sessions(app text, users int, sessions int) language sql as $$
  insert into sessions (session_key, app_key, user_key, app_name, user_id, id, revision, create_time, last_update_time,
    initial_state_kept)
  select fixtures.key(app, 'u' || s % users, 's' || s), fixtures.key(app), fixtures.key(app, 'u' || s % users),
    app, 'u' || s % users, 's' || s, 0, time, time, true
  from generate_series(1, sessions) s, lateral (select now() - interval '10 days' + s * interval '1 second') t (time)
$$;

-- Sessions as above whose keys SQL can compute from a number in no time, so that pgbench need not look them up.
create procedure fixtures.pgbench_sessions(app text, sessions int) language sql as $$
  insert into sessions (session_key, app_key, user_key, app_name, user_id, id, revision, create_time, last_update_time)
  select md5(s::text)::uuid, fixtures.key(app), fixtures.key(app, 'u'), app, 'u', 's' || s, 0, now(), now()
  from generate_series(1, sessions) s
$$;

-- A history for every session of the app: so many events, with a text of so many characters.
create procedure fixtures.events(app text, events int, characters int) language sql as $$
  insert into events (session_key, seq, commit_time, id, invocation_id, author, time, size, body)
  select session_key, seq, now(), 'e' || seq, 'inv-' || seq, 'agent', to_timestamp(1795248086.810696), length(body), body::json
  from (select session_key, seq, json_build_object('id', 'e' || seq, 'invocationId', 'inv-' || seq, 'author', 'agent',
      'timestamp', 1795248086.810696, 'content', json_build_object('role', 'model', 'parts',
      json_build_array(json_build_object('text', repeat('abcdefghi ', characters / 10)))))::text as body
    from sessions, generate_series(1, events) seq where app_name = app) history;
  update sessions set revision = events, noted_seq = events where app_name = app;
$$;

-- State for every session of the app: so many keys, with a text of so many characters each.
create procedure fixtures.state(app text, keys int, characters int) language sql as $$
  insert into state (scope_key, key, value)
  select session_key, 'key' || k, to_json(repeat('x', characters))
  from sessions, generate_series(1, keys) k where app_name = app
$$;

-- An exclusive lease of every session of the app, held for a day, with the number of the session.
create procedure fixtures.leases(app text) language sql as $$
  update sessions set lease = substr(id, 2)::bigint, lease_holder = 'benchmark', lease_exclusive = true,
    lease_end = now() + interval '1 day'
  where app_name = app
$$;

-- How many events the sessions of the app say they have.
create function fixtures.revisions(app text) returns bigint stable language sql as $$
  select coalesce(sum(revision), 0)::bigint from sessions where app_name = app
$$;

-- How many sessions have not exactly the events 1, 2, ..., revision; or whose last event is of another time than they.
create function fixtures.broken(app text, fixed_times bool) returns bigint stable language sql as $$
  select count(*) from sessions s left join lateral (
      select count(*) as stored, coalesce(max(seq), 0) as newest, max(commit_time) as time
      from events e where e.session_key = s.session_key) h on true
  where app_name = app and (stored <> revision or newest <> revision or (fixed_times and time <> last_update_time))
$$;
