-- All null where there never was a lease: nothing is rewritten, and rows become no larger.
alter table sessions
    add column lease           bigint,
    add column lease_holder    text,
    add column lease_end       timestamptz,
    add column lease_exclusive boolean;

comment on column sessions.lease is 'the number of the newest lease; only grows';
comment on column sessions.lease_holder is 'who has the lease; null if it was given back, as the end and exclusive are';
comment on column sessions.lease_end is 'from when on nobody has it';
comment on column sessions.lease_exclusive is 'whether appends without its number are refused';
