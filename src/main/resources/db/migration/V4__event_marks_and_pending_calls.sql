-- What events mean beside their state, noted when they are stored, so that no read has to look for it in the history.

alter table sessions
    add column noted_seq bigint not null default 0,
    add column has_marks boolean not null default false;

comment on column sessions.noted_seq is 'up to which event it is noted what events mean; less than revision after an older version';
comment on column sessions.has_marks is 'whether rows of event_marks and pending_calls are this session''s';

create table event_marks (
    session_key uuid not null,
    until_seq   bigint not null default 9223372036854775807,
    since_seq   bigint not null,
    kind        text collate "C" not null,
    first_seq   bigint not null,
    last_seq    bigint not null,
    from_time   double precision,
    to_time     double precision,
    constraint event_marks_pkey primary key (session_key, until_seq, since_seq, kind, first_seq)
);

comment on table event_marks is 'which events a model may not see, or sees again';
comment on column event_marks.kind is 'rewound, compacted, recalled: of events first_seq to last_seq; compaction: the event itself, with its times';
comment on column event_marks.since_seq is 'the event that brought it about';
comment on column event_marks.until_seq is 'the event that ended it';

create table pending_calls (
    session_key uuid not null,
    call_id     text collate "C" not null,
    seq         bigint not null,
    since_seq   bigint not null,
    app_key     uuid not null,
    event_id    text collate "C" not null,
    name        text not null,
    args        json,
    open_time   timestamptz not null,
    closed_seq  bigint,
    constraint pending_calls_pkey primary key (session_key, call_id, seq, since_seq)
);

comment on table pending_calls is 'function calls that wait, or waited, for somebody''s answer';
comment on column pending_calls.since_seq is 'the event that opened it: that of the call, or a rewind to before its answer';
comment on column pending_calls.args is 'null if they are too long; they stand in the event';
comment on column pending_calls.closed_seq is 'the answer, or the rewind to before the call; null while it waits';

create index pending_calls_by_app on pending_calls (app_key, open_time, session_key, call_id, seq) where closed_seq is null;
