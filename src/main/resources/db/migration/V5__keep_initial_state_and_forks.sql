alter table sessions add column initial_state_kept boolean not null default false;
alter table sessions add column forked_from json;

comment on column sessions.initial_state_kept is 'false for sessions that were created before there was initial_state';
comment on column sessions.forked_from is 'the session whose copy it began as, and the seq of the last event that was copied';

-- Not a column of sessions: an append writes the row of its session anew, with all that is in it.
create table initial_state (
    session_key uuid not null,
    key         text collate "C" not null,
    value       json not null,
    constraint initial_state_pkey primary key (session_key, key),
    -- An older version of the service that removes a session does not know of this table.
    constraint initial_state_session_key_fkey foreign key (session_key) references sessions on delete cascade
);

comment on table initial_state is 'the own state that sessions were created with; together with their events, all states they ever had';
