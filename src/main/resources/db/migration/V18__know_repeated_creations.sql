-- A client that gets no response to a creation sends it again.

alter table sessions add column creation uuid;

comment on column sessions.creation is 'identifies repetitions of the request that created the session: the first half is a '
    'digest of its Idempotency-Key, the second half of its content. Null if it had no key';
