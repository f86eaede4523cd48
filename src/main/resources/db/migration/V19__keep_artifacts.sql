-- Files that agents save. All tables begin with the key of the user, so that they can be distributed by that column.

create table artifacts (
    user_key     uuid not null,
    scope_key    uuid not null,
    name         text collate "C" not null,
    next_version integer not null,
    constraint artifacts_pkey primary key (user_key, scope_key, name)
);

comment on table artifacts is 'the names that have versions';
comment on column artifacts.scope_key is 'of a session, or of the user';
comment on column artifacts.next_version is 'the number of the next version. No number is used twice while the name exists';

create table artifact_versions (
    user_key        uuid not null,
    scope_key       uuid not null,
    name            text collate "C" not null,
    version         integer not null,
    after_seq       bigint not null,
    create_time     timestamptz not null,
    kind            smallint not null,
    size            bigint not null,
    mime_type       text,
    display_name    text,
    file_uri        text,
    custom_metadata json,
    blob_key        uuid,
    constraint artifact_versions_pkey primary key (user_key, scope_key, name, version) include (size)
);

create index artifact_versions_by_blob on artifact_versions (user_key, blob_key) where blob_key is not null;

comment on column artifact_versions.after_seq is 'the seq of the newest event when the version was saved';
comment on column artifact_versions.kind is '0: bytes, 1: text, 2: a reference to a file elsewhere';
comment on column artifact_versions.size is 'in bytes, as a quota counts it';
comment on column artifact_versions.blob_key is 'null for a reference';

create table artifact_blobs (
    user_key   uuid not null,
    blob_key   uuid not null,
    digest     bytea,
    size       bigint not null,
    sweep_time timestamptz,
    constraint artifact_blobs_pkey primary key (user_key, blob_key)
);

create unique index artifact_blobs_by_digest on artifact_blobs (user_key, digest) where digest is not null;
create index artifact_blobs_to_sweep on artifact_blobs (user_key, blob_key) where sweep_time is not null;

comment on table artifact_blobs is 'the bytes of versions; equal bytes of a user are stored once';
comment on column artifact_blobs.digest is 'SHA-256; null while an upload writes the chunks, and while the sweep deletes them';
comment on column artifact_blobs.sweep_time is 'from when on the sweep deletes it, unless a version refers to it';

create table artifact_chunks (
    user_key uuid not null,
    blob_key uuid not null,
    number   integer not null,
    bytes    bytea not null,
    constraint artifact_chunks_pkey primary key (user_key, blob_key, number)
);

-- Most files are compressed already.
alter table artifact_chunks alter column bytes set storage external;

comment on table artifact_chunks is 'the bytes of a blob, 256 KB in each row but the last';
