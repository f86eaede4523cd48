-- What was said, for the search. All of it follows from the events. A search fills it; no append
-- does. Both tables begin with the key of a user, so that they can be distributed by that column.

create table said (
    user_key    uuid not null,
    session_key uuid not null,
    turn        integer not null,
    seq         bigint not null,
    words       integer not null,
    said_at     timestamptz not null,
    author      text not null,
    same        bigint not null,
    tokens      tsvector not null,
    constraint said_pkey primary key (user_key, session_key, turn)
);

-- Never out of line: every search of a user reads all of them.
alter table said alter column tokens set storage main;

comment on table said is 'the texts of events; no other index, because PostgreSQL would use one on tokens for every user';
comment on column said.turn is 'counts the events of the session that say something, so that neighbours are neighbours in talk';
comment on column said.words is 'how many words the text has';
comment on column said.said_at is 'events.time';
comment on column said.same is 'the beginning of a digest of the words, to fold doubles';

create table said_sessions (
    user_key    uuid not null,
    session_key uuid not null,
    analysis    integer not null,
    up_to_seq   bigint not null,
    checked_seq bigint not null,
    turns       integer not null,
    words       bigint not null,
    constraint said_sessions_pkey primary key (user_key, session_key)
);

comment on table said_sessions is 'how far the rows of a session in said have got';
comment on column said_sessions.analysis is 'the version of what takes texts apart into words; with another one the session begins anew';
comment on column said_sessions.up_to_seq is 'the newest event that is indexed';
comment on column said_sessions.checked_seq is 'the newest event up to which rewinds are taken into account';
comment on column said_sessions.turns is 'how many turns the session has';
comment on column said_sessions.words is 'how many words these turns have';
