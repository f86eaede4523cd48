-- Facts about a user, and what no search may find any more. Both tables begin with the key of a
-- user, so that they can be distributed by that column.

create table memories (
    scope_key   uuid not null,
    id          text collate "C" not null,
    create_time timestamptz not null,
    update_time timestamptz not null,
    expire_time timestamptz,
    said_at     timestamptz not null,
    author      text not null,
    analysis    integer not null,
    words       integer not null,
    same        bigint not null,
    tokens      tsvector not null,
    body        json not null,
    constraint memories_pkey primary key (scope_key, id)
);

create index memories_by_expiry on memories (expire_time) where expire_time is not null;

comment on table memories is 'facts about a user that belong to no session; analysis to tokens are for the search, as in said';
comment on column memories.scope_key is 'of the user';
comment on column memories.said_at is 'the time that the client gave, or else create_time';
comment on column memories.body is 'content, author, timestamp and metadata, as sent';

create table forgotten (
    scope_key uuid not null,
    same      bigint not null,
    until     timestamptz not null,
    constraint forgotten_pkey primary key (scope_key, same)
);

comment on table forgotten is 'events that no search finds any more';
comment on column forgotten.scope_key is 'of the user';
comment on column forgotten.same is 'said.same of the events';
comment on column forgotten.until is 'events that say the same at a later time can be found';
comment on column said.same is 'the beginning of a digest of the text, to fold doubles';
