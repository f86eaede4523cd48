-- Where the users of each bucket are, if there are several servers. Only the main server has rows.

create table buckets (
    bucket smallint not null check (bucket between 0 and 255),
    server text not null,
    constraint buckets_pkey primary key (bucket)
);

comment on table buckets is 'the server of each bucket of users; a bucket without a row is on the main server';
comment on column buckets.bucket is 'the first byte of the keys of the users';
comment on column buckets.server is 'its name in the settings';

create table app_state_changes (
    id       bigint generated always as identity,
    app_name text not null,
    source   text not null,
    keys     text[] not null,
    missing  text[] not null,
    since    timestamptz not null default now(),
    constraint app_state_changes_pkey primary key (id)
);

create index app_state_changes_by_app on app_state_changes (app_name, id);

comment on table app_state_changes is 'changes of the state of apps that some servers may not have yet';
comment on column app_state_changes.source is 'the server that stores the change first';
comment on column app_state_changes.missing is 'the servers to which it has not been copied yet';
