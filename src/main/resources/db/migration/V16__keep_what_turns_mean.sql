-- Vectors of what was said, for a search with an embedding model. They follow from the events. Nothing reads or fills the
-- table while no model is configured.

create table said_vectors (
    user_key    uuid not null,
    session_key uuid not null,
    turn        integer not null,
    model       text not null,
    v           bytea not null,
    constraint said_vectors_pkey primary key (user_key, session_key, turn)
);

-- Never out of line: every search of a user reads all of them.
alter table said_vectors alter column v set storage main;

comment on table said_vectors is 'the vectors of rows of said; deleted with them';
comment on column said_vectors.model is 'the model that made the vector; only vectors of one model are compared';
comment on column said_vectors.v is 'the direction, a signed byte a dimension; empty if the model does not accept the text';
