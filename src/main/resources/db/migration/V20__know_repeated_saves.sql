-- A client that gets no response to a save of an artifact sends it again.

alter table artifact_versions add column save_id uuid;

create unique index artifact_versions_by_save on artifact_versions (user_key, scope_key, name, save_id)
    where save_id is not null;

comment on column artifact_versions.save_id is 'identifies repetitions of the request that saved the version: a digest of '
    'its Idempotency-Key. Null if it had no key, and of copies';
