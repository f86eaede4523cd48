create table secrets (
    name  text collate "C" not null,
    value bytea not null,
    constraint secrets_pkey primary key (name)
);

comment on table secrets is 'what all replicas know and nobody else; a missing one is made up at random by the service';
