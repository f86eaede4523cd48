-- The replicas that know several servers. Only the main server has rows.

create table replicas (
    id      bigint generated always as identity,
    host    text not null,
    since   timestamptz not null default now(),
    servers text[] not null,
    seen    int not null default 0,
    constraint replicas_pkey primary key (id)
);

comment on table replicas is 'the replicas that have started with several servers and have not stopped';
comment on column replicas.servers is 'the names of the servers in its settings';
comment on column replicas.seen is 'the number of the step of a move that the replica has seen, and waited for its calls';
