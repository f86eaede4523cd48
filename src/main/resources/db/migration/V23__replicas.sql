-- The replicas that know several servers. Only the main server has rows.

create table replicas (
    id      bigint generated always as identity,
    host    text not null,
    since   timestamptz not null default now(),
    servers text[] not null,
    stopped smallint,
    constraint replicas_pkey primary key (id)
);

comment on table replicas is 'the replicas that have started with several servers and have not stopped';
comment on column replicas.servers is 'the names of the servers in its settings';
comment on column replicas.stopped is 'the bucket for which the replica has no request; null for none, -1 if it may have requests that do not know where the buckets are';
