-- Fills the tables of the service faster than its API could. In a schema of its own, which the service never sees.

create schema fixtures;

-- The keys of the tables: the first 16 bytes of the SHA-256 of the names in UTF-8, each after its length in bytes.
create function fixtures.key(variadic names text[]) returns uuid immutable strict language sql as $$
  select encode(substring(sha256(string_agg(int4send(octet_length(name)) || convert_to(name, 'UTF8'), '' order by place))
    for 16), 'hex')::uuid
  from unnest(names) with ordinality as t (name, place)
$$;

-- The key of a session that was created at a time, as the service makes it: a UUID of version 7, whose first 48 bits are
-- milliseconds. All else is that of a random one, whose version, 4, becomes 7 with two bits more.
create function fixtures.session_key(created timestamptz) returns uuid volatile strict language sql as $$
  select encode(set_byte(substring(int8send(floor(extract(epoch from created) * 1000)::bigint) from 3) || substring(random from 7),
    6, get_byte(random, 6) | 48), 'hex')::uuid
  from uuid_send(gen_random_uuid()) as random
$$;

-- Sessions s1, s2, ... of the users u0, u1, ..., each last updated one second after the one before.
create procedure fixtures.sessions(app text, users int, sessions int) language sql as $$
  insert into sessions (session_key, name_key, app_key, user_key, app_name, user_id, id, revision, create_time,
    last_update_time)
  select fixtures.session_key(time), fixtures.key(app, 'u' || s % users, 's' || s), fixtures.key(app), fixtures.key(app, 'u' || s % users),
    app, 'u' || s % users, 's' || s, 0, time, time
  from generate_series(1, sessions) s, lateral (select now() - interval '10 days' + s * interval '1 second') t (time)
$$;

-- Sessions as above whose keys rise with their numbers, as those of the service rise with time, and which SQL can compute from
-- a number in no time, so that pgbench need not look them up.
create procedure fixtures.pgbench_sessions(app text, sessions int) language sql as $$
  insert into sessions (session_key, name_key, app_key, user_key, app_name, user_id, id, revision, create_time,
    last_update_time)
  select lpad(to_hex(s), 32, '0')::uuid, fixtures.key(app, 'u', 's' || s), fixtures.key(app), fixtures.key(app, 'u'), app, 'u', 's' || s, 0, now(), now()
  from generate_series(1, sessions) s
$$;

-- A history for every session of the app: so many events, with a text of so many characters.
create procedure fixtures.events(app text, events int, characters int) language sql as $$
  insert into events (session_key, seq, commit_time, id, invocation_id, author, time, kind, size, body)
  select session_key, seq, now(), 'e' || seq, 'inv-' || seq, 'agent', to_timestamp(1795248086.810696), 0, length(body), body::json
  from (select session_key, seq, json_build_object('id', 'e' || seq, 'invocationId', 'inv-' || seq, 'author', 'agent',
      'timestamp', 1795248086.810696, 'content', json_build_object('role', 'model', 'parts',
      json_build_array(json_build_object('text', repeat('abcdefghi ', characters / 10)))))::text as body
    from sessions, generate_series(1, events) seq where app_name = app) history;
  update sessions set revision = events where app_name = app;
$$;

-- Sessions s1, s2, ... of the users u0, u1, ..., with so many events of so many words each. The words are xa, xb, ... of a
-- vocabulary; a few are in most texts, and most are rare. Each call of random() is for a word of its own, because it is
-- volatile and the subquery names the event.
create procedure fixtures.said(app text, users int, sessions int, events int, words int, vocabulary int) language sql as $$
  call fixtures.sessions(app, users, sessions);
  insert into events (session_key, seq, commit_time, id, invocation_id, author, time, kind, size, body)
  select session_key, seq, time, 'e' || seq, 'inv-' || seq, 'user', time, 0, length(body), body::json
  from (select session_key, seq, create_time + seq * interval '1 second' as time, json_build_object('id', 'e' || seq,
      'invocationId', 'inv-' || seq, 'author', 'user', 'timestamp', extract(epoch from create_time) + seq, 'content',
      json_build_object('role', 'user', 'parts', json_build_array(json_build_object('text', (
        select string_agg('x' || translate(floor(vocabulary * random() ^ 4)::int::text, '0123456789', 'abcdefghij'), ' ')
        from generate_series(1, words) word where seq > 0)))))::text as body
    from sessions, generate_series(1, events) seq where app_name = app) history;
  update sessions set revision = events, last_update_time = create_time + events * interval '1 second' where app_name = app;
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

-- Sessions as above with a key of state and a history each, as appends over HTTP make them (lua/append.lua). Ten thousand
-- sessions at a time, either one behind the other, or all at once as it happens: an event of each, in turns. The last event
-- is of the time that is given, and so long lies between two events.
create procedure fixtures.conversations(app text, users int, sessions int, events int, in_turns bool,
  until timestamptz default now(), apart interval default '200 milliseconds') language plpgsql as $$
declare
  many constant int := 10000;
  beginning constant timestamptz := until - sessions::bigint * events * apart;
  here int;
begin
  for start in 0 .. sessions - 1 by many loop
    here := least(many, sessions - start);
    create temp table conversation on commit drop as
    select fixtures.session_key(began) as key, s, began
    from generate_series(start + 1, start + here) s,
      lateral (select beginning + (start::bigint * events + s - start) * apart) t (began);

    insert into sessions (session_key, name_key, app_key, user_key, app_name, user_id, id, revision, create_time,
      last_update_time)
    select key, fixtures.key(app, 'u' || s % users, 's' || s), fixtures.key(app), fixtures.key(app, 'u' || s % users), app, 'u' || s % users, 's' || s,
      events, began, began + (events - 1) * here * apart
    from conversation;

    insert into events (session_key, seq, commit_time, id, invocation_id, author, time, kind, size, body)
    select key, seq, time, id, 'inv-' || s, 'agent', time, 1, length(body), body::json
    from (select key, s, seq, began + (seq - 1) * here * apart as time, gen_random_uuid()::text as id
        from conversation, generate_series(1, events) seq) event,
      lateral (select '{"author":"agent","invocationId":"inv-' || s || '","content":{"role":"model","parts":[{"text":'
        || '"Hello there, this is the answer of the agent, of an ordinary length."}]},"actions":{"stateDelta":{"step":' || seq
        || '}},"id":"' || id || '","timestamp":' || extract(epoch from time) || '}') text (body)
    order by case when in_turns then seq end, s, seq;

    insert into state (scope_key, key, value) select key, 'step', to_json(events) from conversation;
    commit;
  end loop;
end
$$;
