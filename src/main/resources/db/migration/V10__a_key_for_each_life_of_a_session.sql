-- The key of a session is made when the session is created, and no other session ever has it. Its names are found by a digest.
-- Sessions that are there keep their keys, which are such digests.

alter table sessions add column name_key uuid;
update sessions set name_key = session_key;
alter table sessions
    alter column name_key set not null,
    add constraint sessions_name_key_key unique (name_key);

comment on column sessions.session_key is 'a UUID of version 7, made at creation; of older sessions the digest of their names';
comment on column sessions.name_key is 'the digest of app_name, user_id and id';
comment on column sessions.expire_time is 'from when on it is gone';

create table keys_to_sweep (
    session_key uuid not null,
    user_key    uuid not null,
    since       timestamptz not null,
    constraint keys_to_sweep_pkey primary key (session_key)
);

create index keys_to_sweep_by_user on keys_to_sweep (user_key, session_key);

comment on table keys_to_sweep is 'keys under which there are rows of no session: it is gone, or an import or a fork still writes it';
comment on column keys_to_sweep.since is 'from when on nothing writes under the key, and its rows may be removed; an import or a fork moves it on';

-- Rows of an initial state are written before the row of their session, and removed after it.
alter table initial_state drop constraint initial_state_session_key_fkey;

-- What removals and imports of older versions have left behind.
with gone as (
    delete from sessions where expire_time = '-infinity' returning session_key, user_key)
insert into keys_to_sweep (session_key, user_key, since) select session_key, user_key, now() from gone;
