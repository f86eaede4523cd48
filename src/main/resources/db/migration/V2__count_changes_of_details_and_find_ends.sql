alter table sessions add column details_revision integer not null default 0;

comment on column sessions.details_revision is 'how often display name, labels and end were changed';
comment on column sessions.expire_time is 'from when on it is gone; -infinity while it is being removed';

-- Not in it, and so without cost for their appends: sessions that never end.
create index sessions_by_end on sessions (expire_time, session_key) where expire_time is not null;
