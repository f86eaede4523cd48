-- In the Vertex AI dialect, the name of a fact says its app and its id, but not whose fact it is. A fact may belong to
-- other texts than an app and a user.
alter table memories
    add column app_key uuid,
    add column user_id text,
    add column scope   json;

create index memories_by_app on memories (app_key, id);

create index memories_by_named_user on memories (app_key, user_id) where scope is not null;

comment on column memories.scope_key is 'of the user, or of the texts in scope';
comment on column memories.app_key is 'null if a development version stored the fact, which only its user finds then';
comment on column memories.user_id is 'the user; of other facts the text user_id in scope';
comment on column memories.scope is 'texts by name; null for the facts of a user';
comment on column memories.body is 'content, author, timestamp, metadata, displayName, description and topics';
