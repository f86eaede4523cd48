-- Every key is a digest of names (ScopeKey), so that each table can be distributed by its first column.

create table sessions (
    session_key      uuid not null,
    app_key          uuid not null,
    user_key         uuid not null,
    app_name         text collate "C" not null,
    user_id          text collate "C" not null,
    id               text collate "C" not null,
    revision         bigint not null,
    create_time      timestamptz not null,
    last_update_time timestamptz not null,
    expire_time      timestamptz,
    display_name     text,
    labels           json,
    constraint sessions_pkey primary key (session_key)
);

comment on column sessions.revision is 'how many events the session ever got; the seq of its newest event';
comment on column sessions.last_update_time is 'when the newest event was stored; strictly increasing';

-- By keys and not by names: three long names would not fit into an entry of an index.
create index sessions_by_update on sessions (app_key, user_key, last_update_time, id);
create index sessions_by_id on sessions (app_key, id);

create table events (
    session_key   uuid not null,
    seq           bigint not null,
    id            text collate "C" not null,
    commit_time   timestamptz not null,
    time          timestamptz not null,
    author        text not null,
    invocation_id text not null,
    size          integer not null,
    body          json not null,
    constraint events_pkey primary key (session_key, seq),
    constraint events_id_key unique (session_key, id)
);

comment on column events.commit_time is 'the last_update_time of the session right after the event';
comment on column events.time is 'the timestamp the sender gave the event; says nothing about its order';

comment on column events.size is 'the length of the body in characters, to read a history in pieces of bounded size';

create table state (
    scope_key uuid not null,
    key       text collate "C" not null,
    value     json,
    constraint state_pkey primary key (scope_key, key)
);

comment on column state.value is 'null only inside a transaction, for a key that is being removed';
