-- Some frameworks put signatures of several kilobytes into the id of a function call. An entry of an index cannot have them.

alter table pending_calls add column long_call_id text;

comment on column pending_calls.call_id is 'the id of the call; its digest if the id is long';
comment on column pending_calls.long_call_id is 'the id of the call if it is long, else null';
